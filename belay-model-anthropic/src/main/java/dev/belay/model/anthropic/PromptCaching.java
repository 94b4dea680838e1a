package dev.belay.model.anthropic;

import dev.belay.json.Json;
import java.util.Optional;

/**
 * Whether requests mark what the provider should keep, so that the next one that begins alike reads it for a tenth of the price.
 * Marked are the tools, the instructions and the last two turns of the user: a conversation that grows is read from the cache up
 * to its last turn.
 */
public enum PromptCaching {
    /** No marks. */
    OFF,
    /** Kept for five minutes since it was read last; writing costs a quarter more than reading. */
    FIVE_MINUTES,
    /** Kept for an hour; writing costs twice as much as reading. */
    ONE_HOUR;

    /** What is put on a block; nothing if it is not to be kept. */
    Optional<Json> mark() {
        return switch (this) {
            case OFF -> Optional.empty();
            case FIVE_MINUTES -> Optional.of(Json.of("{\"type\":\"ephemeral\"}"));
            case ONE_HOUR -> Optional.of(Json.of("{\"type\":\"ephemeral\",\"ttl\":\"1h\"}"));
        };
    }
}
