package dev.belay.model.http;

import dev.belay.json.Json;
import java.util.Optional;

/**
 * What a provider says about a failure, in the fields that all of them have in some way.
 *
 * @param type the kind of error, such as {@code invalid_request_error}; empty if it says none
 * @param code a finer code, such as {@code context_length_exceeded}; empty if it says none
 * @param message in words; empty if it says none
 */
public record ProviderError(String type, String code, String message) {

    /** Nothing said. */
    public static final ProviderError SILENT = new ProviderError("", "", "");

    /**
     * Finds an error in JSON of any of the shapes in use: <code>{"error":{"type","code","message"}}</code>,
     * <code>{"error":"words"}</code>, <code>{"object":"error","message"}</code>, <code>{"detail":…}</code>, and the inner object
     * alone.
     *
     * @return empty if there is none
     */
    public static Optional<ProviderError> in(Json body) {
        Optional<Json> error = body.get("error").filter(value -> !value.isNull());
        if (error.isPresent()) {
            return Optional.of(of(error.get()));
        }
        if (body.get("detail").isPresent()) {
            return Optional.of(new ProviderError("", "", words(body.get("detail").get())));
        }
        return body.get("message").isPresent() ? Optional.of(of(body)) : Optional.empty();
    }

    private static ProviderError of(Json error) {
        if (error.kind() != Json.Kind.OBJECT) {
            return new ProviderError("", "", words(error));
        }
        return new ProviderError(field(error, "type"), field(error, "code"), field(error, "message"));
    }

    private static String field(Json object, String name) {
        return object.get(name).filter(value -> !value.isNull()).map(ProviderError::words).orElse("");
    }

    private static String words(Json value) {
        return value.kind() == Json.Kind.STRING ? value.asString() : value.compact();
    }
}
