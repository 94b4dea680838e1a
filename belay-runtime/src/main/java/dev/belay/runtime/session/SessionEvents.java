package dev.belay.runtime.session;

import dev.belay.runtime.session.stream.SessionStream;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.SessionId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Reads the events of a session from a place on. Holds no thread and nothing of the session; there is nothing to close. Confined
 * to one thread.
 */
public final class SessionEvents {

    private final SessionStreams streams;
    private final SessionId session;
    private EventCursor cursor;

    public SessionEvents(SessionStreams streams, SessionId session, EventCursor cursor) {
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
        return next(patience, () -> false);
    }

    /** The same, waiting no longer once something is over; {@link SessionStream#wake} makes it look. */
    public Optional<TurnEvent> next(Duration patience, BooleanSupplier over) throws InterruptedException {
        // asked for each time: a stream that was let go begins anew, which this reader must be told
        return streams.of(session).read(cursor, patience, over).map(read -> {
            cursor = read.after();
            return read.event();
        });
    }

    /** Where the next event will be. */
    public EventCursor cursor() {
        return cursor;
    }
}
