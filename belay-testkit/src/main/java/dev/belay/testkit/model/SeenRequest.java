package dev.belay.testkit.model;

import dev.belay.json.Json;
import java.util.Map;

/**
 * A request as a {@link WireServer} got it.
 *
 * @param method such as {@code POST}
 * @param target the request target in the first line
 * @param headers by name in lower case
 * @param body its text; empty if there is none
 */
public record SeenRequest(String method, String target, Map<String, String> headers, String body) {

    /** Copies the headers. */
    public SeenRequest {
        headers = Map.copyOf(headers);
    }

    /** The body as JSON. */
    public Json json() {
        return Json.of(body);
    }
}
