package dev.belay.runtime.session.stream;

import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last events of one session, for any number of readers. Telling an event never waits for a reader. Thread-safe.
 *
 * <p>Concurrency: one lock; the ring grows up to its bound and then overwrites the oldest. Events of more bytes than the bound are
 * dropped from the oldest on.
 */
public final class SessionStream {

    /** Enough for a reader that reconnects; a turn that streams long answers overtakes a reader that does not read. */
    static final int MOST = 10_000;

    private static final int FIRST_SIZE = 8;

    /** The objects of an event without its texts. */
    private static final long OVERHEAD = 100;

    private final String process;
    private final long number;
    private final long mostBytes;
    private final Consumer<TurnEvent> listeners;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private @Nullable TurnEvent[] ring = new TurnEvent[FIRST_SIZE];
    private long first;
    private long next;
    private long bytes;
    /** Of all streams that are kept with it; its own after it was dropped. */
    private AtomicLong ofAll;
    private int readers;

    /**
     * A stream.
     *
     * @param number which of the process
     * @param mostBytes about how much memory its events may take; the last one stays
     * @param ofAll what the streams weigh with which it is kept
     * @param listeners told of each event; must return at once and not throw
     */
    SessionStream(String process, long number, long mostBytes, AtomicLong ofAll,
            Consumer<TurnEvent> listeners) {
        this.process = process;
        this.number = number;
        this.mostBytes = mostBytes;
        this.ofAll = ofAll;
        this.listeners = listeners;
    }

    /** About how much memory its events take. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** It is no longer kept; what is still told weighs nothing. */
    void leave() {
        lock.lock();
        try {
            ofAll.addAndGet(-bytes);
            ofAll = new AtomicLong();
        } finally {
            lock.unlock();
        }
    }

    private static long weight(@Nullable TurnEvent event) {
        long characters = switch (event) {
            case TurnEvent.Text text -> text.chunk().length();
            case TurnEvent.Reasoning reasoning -> reasoning.chunk().length();
            case TurnEvent.Committed committed -> committed.result().summary().length();
            case TurnEvent.Call(var session, long turn, CallEvent.Started started) ->
                started.call().arguments().length();
            case TurnEvent.Call(var session, long turn, CallEvent.Finished finished) ->
                finished.outcome().text().length();
            case TurnEvent.Call(var session, long turn, CallEvent.Progress progress) ->
                progress.message().length();
            case TurnEvent.Plugin plugin -> plugin.data().text().length();
            case null, default -> 0;
        };
        return OVERHEAD + 2 * characters;
    }

    private String name() {
        return process + "-" + number;
    }

    public void tell(TurnEvent event) {
        lock.lock();
        try {
            if (next - first == ring.length && ring.length < MOST) {
                grow();
            }
            if (next - first == ring.length) {
                dropOldest();
            }
            ring[(int) (next % ring.length)] = event;
            next++;
            weigh(weight(event));
            while (bytes > mostBytes && next - first > 1) {
                dropOldest();
            }
            if (readers > 0) {
                told.signalAll();
            }
            listeners.accept(event); // under the lock, which keeps the order
        } finally {
            lock.unlock();
        }
    }

    /** Each event moves to its place in a longer ring. */
    private void grow() {
        @Nullable
        TurnEvent[] longer = new TurnEvent[Math.min(MOST, ring.length * 2)];
        for (long at = first; at < next; at++) {
            longer[(int) (at % longer.length)] = ring[(int) (at % ring.length)];
        }
        ring = longer;
    }

    private void dropOldest() {
        int at = (int) (first % ring.length);
        weigh(-weight(ring[at]));
        ring[at] = null;
        first++;
    }

    private void weigh(long more) {
        bytes += more;
        ofAll.addAndGet(more);
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
        return first;
    }
}
