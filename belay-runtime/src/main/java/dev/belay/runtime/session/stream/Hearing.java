package dev.belay.runtime.session.stream;

import dev.belay.runtime.policy.ShownText;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnListener;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener the events of a session while a turn is awaited.
 *
 * <p>Concurrency: one thread reads and tells; the thread that awaits the turn then waits for it, so that the last event is told
 * before the result is returned.
 */
public final class Hearing {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final SessionStreams streams;
    private final SessionId session;
    private final TurnListener listener;
    private final Thread thread;
    private EventCursor cursor;
    private volatile boolean over;

    private Hearing(SessionStreams streams, SessionId session, EventCursor from, TurnListener listener) {
        this.streams = streams;
        this.session = session;
        this.listener = listener;
        cursor = from;
        thread = Thread.ofVirtual().name("belay-listener").start(this::run);
    }

    /** Something that takes as long as a turn. */
    @FunctionalInterface
    public interface Waiting<R extends TurnResult> {
        R await() throws InterruptedException;
    }

    /**
     * Waits for a turn, telling a listener meanwhile.
     *
     * @param from where to begin
     */
    public static <R extends TurnResult> R during(SessionStreams streams, SessionId session,
            EventCursor from, TurnListener listener, Waiting<R> turn) throws InterruptedException {
        var hearing = new Hearing(streams, session, from, Objects.requireNonNull(listener, "listener"));
        R result;
        try {
            result = turn.await();
        } catch (Throwable e) {
            hearing.stop();
            throw e;
        }
        hearing.end();
        return result;
    }

    /** Waits until the listener was told everything that happened here until now. */
    private void end() throws InterruptedException {
        stop();
        thread.join();
    }

    private void stop() {
        over = true;
        streams.of(session).wake();
    }

    private void run() {
        try {
            Optional<SessionStream.Read> next;
            do {
                next = streams.of(session).read(cursor, PATIENCE, () -> over);
            } while ((next.isPresent() || !over) && (next.isEmpty() || told(next.get())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there may be more to hear. */
    private boolean told(SessionStream.Read read) {
        cursor = read.after();
        TurnEvent event = read.event();
        try {
            listener.on(event);
        } catch (Throwable e) {
            LOG.warn("A listener threw at {}; it is told nothing more", ShownText.escaped(event.toString()),
                    e);
            if (e instanceof VirtualMachineError) {
                throw e;
            }
            return false;
        }
        return true;
    }
}
