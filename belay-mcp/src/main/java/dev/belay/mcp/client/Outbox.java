package dev.belay.mcp.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages on their way to a server. A server that does not read holds up one thread, which is this class's own: no caller, no carrier
 * of virtual threads, and not the thread that reads.
 *
 * <p><b>Concurrency.</b> Letters are written one after the other. The own thread writes, and begins with the first letter that has to wait.
 * A letter that fits into an empty pipe is written by its sender if the server is known to have read what was written before.
 * <b>Bounds.</b> A request waits until its sender takes it back. Replies to what the server asks are bounded together: a server that asks
 * and does not read is given up by its transport.
 */
final class Outbox {

    /** Bytes of replies that may wait. */
    private static final int MOST_WAITING = 1 << 20;
    /** What a letter takes in memory beside its bytes. */
    private static final int ENVELOPE = 256;

    private final Wire wire;
    private final Thread.Builder threads;
    private final Consumer<IOException> broken;
    /** So many bytes that the server may not have read block no writer. */
    private final int room;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Letter> waiting = new ArrayDeque<>();
    private @Nullable Thread own;
    /** Whether the own thread has a letter in hand. */
    private boolean writing;
    private boolean closed;
    private long replies;
    private long written;
    /** How much of what was written the server has read at least; written by the thread that reads. */
    private volatile long read;

    /** The way to the server. */
    interface Wire {

        /** Writes a message; may block. */
        void write(byte[] message) throws IOException, InterruptedException;

        /** Nothing will be written any more. */
        void close() throws IOException;
    }

    /** A message that is written once, or was taken back before. */
    static final class Letter {

        private final byte[] bytes;
        private final int counted;
        /** What was written when its last byte was; 0 before. */
        private volatile long end;

        private Letter(byte[] bytes, boolean reply) {
            this.bytes = bytes;
            this.counted = reply ? bytes.length + ENVELOPE : 0;
        }

        /** A request, or a notification about one. */
        static Letter of(byte[] bytes) {
            return new Letter(bytes, false);
        }
    }

    /**
     * Writes nothing yet.
     *
     * @param room bytes that the way takes without blocking while the server does not read; 0 if senders must never write
     * @param broken told by the own thread that a letter could not be written; the thread goes on with the next one
     */
    Outbox(Wire wire, int room, Thread.Builder threads, Consumer<IOException> broken) {
        this.wire = wire;
        this.room = room;
        this.threads = threads;
        this.broken = broken;
    }

    /** Sends a letter; never waits for the server. */
    void send(Letter letter) throws IOException {
        lock.lock();
        try {
            if (writing || !waiting.isEmpty() || written + letter.bytes.length - read > room || closed) {
                later(letter);
            } else {
                begin(letter);
                wire.write(letter.bytes);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a reply to what the server has asked; false if so much waits that the server does not read. */
    boolean reply(byte[] bytes) {
        var letter = new Letter(bytes, true);
        lock.lock();
        try {
            if (replies > 0 && replies + letter.counted > MOST_WAITING) {
                return false;
            }
            replies += letter.counted;
            later(letter);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a letter back; true if nothing of it was written, and nothing will be. */
    boolean takeBack(Letter letter) {
        lock.lock();
        try {
            waiting.remove(letter);
            return letter.end == 0;
        } finally {
            lock.unlock();
        }
    }

    /** The server has answered a letter: it has read all up to its end. Called by one thread at a time. */
    void answered(Letter letter) {
        read = Math.max(read, letter.end);
    }

    private void later(Letter letter) {
        if (closed) {
            return;
        }
        waiting.add(letter);
        if (own == null) {
            own = threads.start(this::write);
        }
        changed.signal();
    }

    private void begin(Letter letter) {
        written += letter.bytes.length;
        letter.end = written;
        replies -= letter.counted;
    }

    private void write() {
        try {
            for (Letter next = next(); next != null; next = next()) {
                try {
                    wire.write(next.bytes);
                } catch (IOException e) {
                    broken.accept(e);
                }
            }
            wire.close();
        } catch (InterruptedException | IOException over) {
            // the connection is closed
        }
    }

    /** Waits for the next letter; null at the end. */
    private @Nullable Letter next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            writing = false;
            while (waiting.isEmpty() && !closed) {
                changed.await();
            }
            Letter next = waiting.poll();
            if (next != null) {
                writing = true;
                begin(next);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits, and closes the way once the letter that is being written has left; does not wait for that. */
    void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                waiting.clear();
                changed.signal();
                if (own == null) {
                    wire.close();
                }
            }
        } catch (IOException gone) {
            // the server does not read any more
        } finally {
            lock.unlock();
        }
    }
}
