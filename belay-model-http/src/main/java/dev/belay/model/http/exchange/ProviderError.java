package dev.belay.model.http.exchange;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.Optional;

/**
 * The error of a provider, in the fields that all providers have in some form.
 *
 * @param type the kind of error, such as {@code invalid_request_error}; empty if missing
 * @param code a finer code, such as {@code context_length_exceeded}; empty if missing
 * @param message for people; empty if missing
 */
public record ProviderError(String type, String code, String message) {

    /** An error without any field. */
    public static final ProviderError SILENT = new ProviderError("", "", "");

    /**
     * Finds an error in JSON of any of the shapes that {@link dev.belay.model.http.ArrivingAnswer#failure} lists.
     *
     * @return empty if there is none
     */
    public static Optional<ProviderError> in(Json body) {
        Optional<Json> error = WireFields.field(body, "error");
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
        return WireFields.field(object, name).map(ProviderError::words).orElse("");
    }

    private static String words(Json value) {
        return value.kind() == Json.Kind.STRING ? value.asString() : value.compact();
    }
}
