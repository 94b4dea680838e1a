package dev.belay.runtime.session;

import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.SessionId;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads the events of a session from a cursor on. Holds no thread and no resource; there is nothing to close. Confined to one
 * thread.
 */
public final class SessionEvents {

    /**
     * Hears what happens in all sessions of a runtime, but for the pieces of text and reasoning: turns, rounds, calls, parks, waiting
     * models and commits. It is told in order, on a thread of its own; what another process does is not heard here. A listener that throws
     * is logged; a slow one misses the oldest events and is told a {@link TurnEvent.Gap}. Neither slows or fails a turn.
     *
     * <p>No call waits for it: {@code run()} and {@code await()} may return, and the runtime may be closed, before it has heard. A
     * program that needs the events of a turn with its result gives {@code stream} a {@link TurnListener}.
     */
    @FunctionalInterface
    public interface Listener {

        /** Hears of an event. */
        void on(SessionId session, TurnEvent event);
    }

    private final SessionStreams streams;
    private final SessionId session;
    private EventCursor cursor;

    SessionEvents(SessionStreams streams, SessionId session, EventCursor cursor) {
        this.streams = streams;
        this.session = session;
        this.cursor = cursor;
    }

    /**
     * The next event. If events between the last one and this are missing, a {@link TurnEvent.Gap} comes first.
     *
     * @param patience how long to wait for one
     * @return empty if there was none in time
     */
    public Optional<TurnEvent> next(Duration patience) throws InterruptedException {
        // looked up each time: a stream that was dropped begins anew, and this reader must be told of the gap
        return streams.of(session).read(cursor, patience, () -> false).map(read -> {
            cursor = read.after();
            return read.event();
        });
    }

    /** Where the next event will be. */
    public EventCursor cursor() {
        return cursor;
    }
}
