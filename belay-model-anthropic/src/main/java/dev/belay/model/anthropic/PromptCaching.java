package dev.belay.model.anthropic;

import dev.belay.json.Json;
import java.util.Optional;

/**
 * Whether requests mark parts for the provider's cache, so that the next request with the same beginning reads them for a tenth of
 * the price. Marked are the tools, the instructions and the last two turns of the user: a growing conversation is read from the
 * cache up to its last turn.
 */
public enum PromptCaching {
    /** No marks. */
    OFF,
    /** Kept for five minutes after the last read; a write costs a quarter more than uncached input. */
    FIVE_MINUTES,
    /** Kept for an hour; a write costs twice as much as uncached input. */
    ONE_HOUR;

    /** The mark for a block; empty for {@link #OFF}. */
    Optional<Json> mark() {
        return switch (this) {
            case OFF -> Optional.empty();
            case FIVE_MINUTES -> Optional.of(Json.of("{\"type\":\"ephemeral\"}"));
            case ONE_HOUR -> Optional.of(Json.of("{\"type\":\"ephemeral\",\"ttl\":\"1h\"}"));
        };
    }
}
