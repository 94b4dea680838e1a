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
