package dev.belay.schema.rules;

import dev.belay.json.Json;
import org.jspecify.annotations.Nullable;

/** One keyword, or a few that work together, of one schema. Thread-safe. */
@FunctionalInterface
public interface Rule {

    /**
     * Decides whether the value satisfies it, and tells the walk why not.
     *
     * @param seen collects what was evaluated in this value, or null if no {@code unevaluated…} keyword asks
     */
    boolean check(Json value, Walk walk, @Nullable Seen seen);
}
