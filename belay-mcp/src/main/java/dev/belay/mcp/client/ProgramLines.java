package dev.belay.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a program. A read of a program's output cannot be interrupted, so a thread of its own reads, and threads that wait for
 * replies can be interrupted. Waking such a thread takes longer than a quick program takes to answer. Therefore a thread that waits for a
 * quick program reads by itself, as far as there is something to read.
 *
 * <p><b>Concurrency.</b> Lines are read under one lock and given to one consumer. There are two modes. In the first the own thread reads, and
 * blocks in it. In the second it rests, and a thread that waits for a reply looks for it without blocking, for a tenth of a millisecond at
 * most. The second mode begins with a reply that came quickly. It ends with a look that finds no reply, with a thread that waits otherwise,
 * and if there was no look for a while. A line that comes meanwhile waits for the next look or for the end of the rest.
 */
final class ProgramLines {

    /** Replies that come later than this are not looked for. */
    private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(100);
    /** How long the own thread rests after a look. */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(10);
    /** A virtual thread that yields keeps the only processor from the program. */
    private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private final BoundedLines lines;
    private final long rest;
    private final Consumer<String> consumer;
    private final ReentrantLock reading = new ReentrantLock();
    /** Threads that wait and do not look: the own thread has to read for them. */
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean quick;
    private volatile long looked;
    /** Written by the own thread before it looks at what would keep it from a rest: so no thread that begins to wait is missed. */
    private volatile boolean resting;
    private volatile @Nullable Thread own;

    /**
     * Reads nothing yet.
     *
     * @param consumer takes each line; called under the lock, by the thread that reads
     */
    ProgramLines(InputStream in, int longest, Consumer<String> consumer) {
        this(in, longest, REST, consumer);
    }

    /** For tests, with another rest. */
    ProgramLines(InputStream in, int longest, long rest, Consumer<String> consumer) {
        this.lines = new BoundedLines(in, longest);
        this.rest = rest;
        this.consumer = consumer;
    }

    /** Reads until the end of the output, as the own thread. */
    void read() throws IOException {
        own = Thread.currentThread();
        while (readOne()) {
            rest();
        }
    }

    private void rest() {
        resting = true;
        while (quick && waiting.get() == 0) {
            long left = rest - (System.nanoTime() - looked);
            if (left <= 0) {
                quick = false;
            } else {
                LockSupport.parkNanos(this, left);
            }
        }
        resting = false;
    }

    private boolean readOne() throws IOException {
        reading.lock();
        try {
            String line = lines.next();
            if (line != null) {
                consumer.accept(line);
            }
            return line != null;
        } finally {
            reading.unlock();
        }
    }

    /** Whether the thread that asks looks for its reply if the program is quick. */
    boolean looks() {
        return !(ONE_PROCESSOR && Thread.currentThread().isVirtual());
    }

    /** A reply has come for a thread that looks; its request was sent at that time. */
    void replied(long sent) {
        if (quick) {
            return;
        }
        long now = System.nanoTime();
        if (now - sent < LOOK) {
            looked = now;
            quick = true;
        }
    }

    /**
     * Looks for a reply if the program is quick; true if it is there. Yields before each look, because the program may need this processor.
     *
     * @param sent when the request was sent
     */
    @SuppressWarnings("ThreadPriorityCheck")
    boolean look(long sent, BooleanSupplier there) {
        looked = sent;
        while (quick && waiting.get() == 0) {
            Thread.yield();
            if (reading.tryLock()) {
                try {
                    for (String line = lines.arrived(); line != null; line = lines.buffered()) {
                        consumer.accept(line);
                    }
                } catch (IOException e) {
                    quick = false; // the own thread finds the same
                } finally {
                    reading.unlock();
                }
            }
            if (there.getAsBoolean()) {
                return true;
            }
            if (System.nanoTime() - sent > LOOK) {
                quick = false;
            }
        }
        return there.getAsBoolean();
    }

    /** A thread begins to wait without looking. */
    void await() {
        waiting.incrementAndGet();
        if (resting) {
            LockSupport.unpark(own);
        }
    }

    /** A thread does not wait any more. */
    void awaited() {
        waiting.decrementAndGet();
    }
}
