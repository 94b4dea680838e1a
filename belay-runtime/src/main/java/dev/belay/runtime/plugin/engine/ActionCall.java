package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import java.util.Objects;

/**
 * An action that a program asks for.
 *
 * @param action which
 * @param given its input
 */
public record ActionCall(String action, Json given) {

    public ActionCall {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(given, "input");
    }
}
