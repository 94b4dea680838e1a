package dev.belay.runtime.session.stream;

import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnListener;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.turn.SessionEngine;
import dev.belay.runtime.store.SessionId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener the events of a session, from its making until it is ended.
 *
 * <p>Concurrency: one thread reads and tells; whoever waits for the turn waits for that thread too, so that the last event is
 * told before the result is returned.
 */
public final class Hearing {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final SessionStream stream;
    private final SessionEvents events;
    private final TurnListener listener;
    private final Thread thread;
    private volatile boolean over;

    private Hearing(SessionEngine engine, SessionId session, EventCursor from, TurnListener listener) {
        stream = engine.streams().of(session);
        events = new SessionEvents(engine.streams(), session, from);
        this.listener = listener;
        thread = Thread.ofVirtual().name("belay-listener").start(this::run);
    }

    /** Something that takes as long as a turn. */
    @FunctionalInterface
    public interface Waiting {
        TurnResult await() throws InterruptedException;
    }

    /**
     * Waits for a turn, telling a listener meanwhile.
     *
     * @param from where to begin
     */
    public static TurnResult during(SessionEngine engine, SessionId session, EventCursor from,
            TurnListener listener,
            Waiting turn) throws InterruptedException {
        var hearing = new Hearing(engine, session, from, Objects.requireNonNull(listener, "listener"));
        TurnResult result;
        try {
            result = turn.await();
        } catch (Throwable e) {
            hearing.stop();
            throw e;
        }
        hearing.end();
        return result;
    }

    /** Waits until everything that has happened until now was told. What another process has done is heard of by nobody here. */
    private void end() throws InterruptedException {
        stop();
        thread.join();
    }

    private void stop() {
        over = true;
        stream.wake();
    }

    private void run() {
        try {
            Optional<TurnEvent> next;
            do {
                next = events.next(PATIENCE, () -> over);
            } while ((next.isPresent() || !over) && (next.isEmpty() || told(next.get())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there may be more to hear. */
    private boolean told(TurnEvent event) {
        try {
            listener.on(event);
        } catch (Throwable e) {
            LOG.warn("A listener threw at {}; it is told nothing more", event, e);
            if (e instanceof VirtualMachineError) {
                throw e;
            }
            return false;
        }
        return true;
    }
}
