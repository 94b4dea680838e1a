package dev.belay.model.http;

import dev.belay.json.Json;
import java.util.Objects;

/**
 * The request of one call.
 *
 * @param path added to the base URL, starting with a slash, such as {@code /chat/completions}
 * @param body sent as its exact text
 * @param model the model asked for, for messages
 * @param offersTools whether the body offers tools, so that a refusal of them can be told from others
 */
public record WireRequest(String path, Json body, String model, boolean offersTools) {

    /** Refuses a path without a slash. */
    public WireRequest {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash, not \"" + path + "\"");
        }
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(model, "model");
    }
}
