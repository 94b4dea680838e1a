package dev.belay.runtime.store;

import dev.belay.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A turn as it is kept.
 *
 * @param session whose
 * @param turn its number
 * @param input the id of the arrival that started it
 * @param acceptedAt when it was accepted
 * @param end how it ended, or null while it is active
 */
public record TurnRow(SessionId session, long turn, String input, Instant acceptedAt, @Nullable End end) {

    /**
     * How a turn ended.
     *
     * @param receipt of its commit
     * @param result as it was committed
     * @param state the session's state after it, or null if it did not change
     * @param firstMessage the place of its first message, from 0
     * @param messages how many messages it added
     * @param at when
     */
    public record End(String receipt, Json result, @Nullable Json state, long firstMessage, int messages,
            Instant at) {}
}
