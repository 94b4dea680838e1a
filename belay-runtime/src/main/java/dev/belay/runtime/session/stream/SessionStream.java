package dev.belay.runtime.session.stream;

import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last events of one session, for any number of readers. Telling an event never waits for a reader. Thread-safe.
 *
 * <p>Concurrency: one lock; the ring grows up to its bound and then overwrites the oldest.
 */
public final class SessionStream {

    /** Enough for a reader that reconnects; a turn that streams long answers overtakes a reader that does not read. */
    static final int MOST = 10_000;

    private static final int FIRST_SIZE = 8;

    private final String process;
    private final long number;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private @Nullable TurnEvent[] ring = new TurnEvent[FIRST_SIZE];
    private long next;
    private int readers;

    /** The stream of a process that has this number there. */
    SessionStream(String process, long number) {
        this.process = process;
        this.number = number;
    }

    private String name() {
        return process + "-" + number;
    }

    public void tell(TurnEvent event) {
        lock.lock();
        try {
            if (next == ring.length && ring.length < MOST) {
                grow();
            }
            ring[(int) (next % ring.length)] = event;
            next++;
            if (readers > 0) {
                told.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Only while nothing was overwritten: the places of the events stay. */
    private void grow() {
        ring = Arrays.copyOf(ring, Math.min(MOST, ring.length * 2));
    }

    /** Lets readers look whether what they wait for is over. */
    void wake() {
        lock.lock();
        try {
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public EventCursor now() {
        lock.lock();
        try {
            return new EventCursor(name(), next);
        } finally {
            lock.unlock();
        }
    }

    /** The next event at a cursor, or a gap; empty if there is none in time. */
    public Optional<Read> read(EventCursor at, Duration patience, BooleanSupplier over)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!at.stream().equals(name()) || at.next() > next || at.next() < 0) {
                return Optional.of(new Read(new TurnEvent.Gap(-1), new EventCursor(name(), oldest())));
            }
            if (at.next() < oldest()) {
                return Optional.of(
                        new Read(new TurnEvent.Gap(oldest() - at.next()), new EventCursor(name(), oldest())));
            }
            long left = patience.toNanos();
            readers++;
            try {
                while (at.next() == next) {
                    if (left <= 0 || over.getAsBoolean()) {
                        return Optional.empty();
                    }
                    left = told.awaitNanos(left);
                }
            } finally {
                readers--;
            }
            if (at.next() < oldest()) {
                return read(at, Duration.ZERO, over);
            }
            TurnEvent event = ring[(int) (at.next() % ring.length)];
            return Optional.ofNullable(event)
                    .map(found -> new Read(found, new EventCursor(name(), at.next() + 1)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * What was read.
     *
     * @param event which event
     * @param after where the next one is
     */
    public record Read(TurnEvent event, EventCursor after) {}

    private long oldest() {
        return Math.max(0, next - ring.length);
    }
}
