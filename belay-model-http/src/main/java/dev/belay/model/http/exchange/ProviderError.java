package dev.belay.model.http.exchange;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.http.ServerEvent;
import dev.belay.model.http.wire.SplitCharacters;
import dev.belay.model.http.wire.WireFields;
import dev.belay.schema.Wording;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The error of a provider, in the fields that all providers have in some form.
 *
 * @param type the kind of error, such as {@code invalid_request_error}; empty if missing
 * @param code a finer code, such as {@code context_length_exceeded}; empty if missing
 * @param message for people; empty if missing
 */
public record ProviderError(String type, String code, String message) {

    private static final String ERROR = "error";

    /** An error without any field. */
    public static final ProviderError SILENT = new ProviderError("", "", "");

    /**
     * Finds an error in JSON of any of the shapes that {@link dev.belay.model.http.ArrivingAnswer#failure} lists.
     *
     * @return empty if there is none
     */
    public static Optional<ProviderError> in(Json body) {
        if (body.kind() == Json.Kind.ARRAY) {
            return body.items()
                    .stream()
                    .findFirst()
                    .filter(inner -> inner.kind() == Json.Kind.OBJECT)
                    .flatMap(ProviderError::in);
        }
        Optional<ProviderError> error = marked(body);
        if (error.isPresent()) {
            return error;
        }
        if (body.get("detail").isPresent()) {
            return Optional.of(new ProviderError("", "", words(body.get("detail").get())));
        }
        return body.get("message").isPresent() ? Optional.of(of(body)) : Optional.empty();
    }

    /**
     * Finds an error in an event of a stream that says by its name or by a field that it is one.
     *
     * @return empty if it is not
     */
    public static Optional<ProviderError> in(ServerEvent event) {
        if (event.type().equals(ERROR)) {
            return json(event).flatMap(ProviderError::in)
                    .or(() -> Optional.of(new ProviderError("", "", event.data())));
        }
        return event.data().contains(ERROR) // spares most events a second parsing
                ? json(event).filter(ProviderError::saysSo)
                        .map(body -> in(body).orElse(SILENT))
                : Optional.empty();
    }

    /** Finds an error in an event that does not say that it is one. */
    public static Optional<ProviderError> unnamed(ServerEvent event) {
        return json(event).flatMap(ProviderError::in);
    }

    private static boolean saysSo(Json body) {
        return marked(body).isPresent() || field(body, "type").equals(ERROR)
                || field(body, "object").equals(ERROR);
    }

    private static Optional<Json> json(ServerEvent event) {
        try {
            return Optional.of(event.json());
        } catch (JsonException plainText) {
            return Optional.empty();
        }
    }

    /** The error in a field of that name; some servers send an empty one with every answer. */
    public static Optional<ProviderError> marked(Json body) {
        return WireFields.field(body, ERROR)
                .filter(error -> !error.equals(Json.FALSE) && !error.equals(Json.string("")))
                .or(() -> WireFields.field(body, "errors")
                        .filter(list -> list.kind() == Json.Kind.ARRAY)
                        .flatMap(list -> list.items().stream().findFirst()))
                .map(ProviderError::of);
    }

    private static ProviderError of(Json error) {
        if (error.kind() != Json.Kind.OBJECT) {
            return new ProviderError("", "", words(error));
        }
        String message = first(error, "message", "msg", "detail", ERROR);
        return new ProviderError(field(error, "type"), first(error, "code", "status_code", "status"),
                message.isEmpty() ? error.compact() : message);
    }

    private static String first(Json object, String... names) {
        return Stream.of(names)
                .map(name -> field(object, name))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String field(Json object, String name) {
        return WireFields.field(object, name).map(ProviderError::words).orElse("");
    }

    private static String words(Json value) {
        String text = value.kind() == Json.Kind.STRING ? value.asString() : value.compact();
        return Wording.shown(SplitCharacters.text(text), Integer.MAX_VALUE);
    }
}
