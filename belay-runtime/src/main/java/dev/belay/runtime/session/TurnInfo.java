package dev.belay.runtime.session;

import dev.belay.runtime.store.TurnRow;
import java.time.Instant;
import java.util.Optional;

/**
 * A turn of a session, active or past.
 *
 * @param row as it is kept
 */
public record TurnInfo(TurnRow row) {

    /** Its number in the session, from 1. */
    public long number() {
        return row.turn();
    }

    /** The id of the input that started it; {@link Session#input} has its handle. */
    public String input() {
        return row.input();
    }

    /** When it was accepted. */
    public Instant acceptedAt() {
        return row.acceptedAt();
    }

    /** When it was committed; empty while it is active. */
    public Optional<Instant> endedAt() {
        return Optional.ofNullable(row.end()).map(TurnRow.End::at);
    }

    /**
     * What came of it; empty while it is active.
     *
     * @throws dev.belay.BelayException {@code journal_corrupt} if its record cannot be read
     */
    public Optional<TurnResult.Ended> result() {
        return Optional.ofNullable(row.end()).map(end -> TurnResult.Ended.of(end.result()));
    }
}
