package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads fields that may be missing or null, which servers do not agree on. What is there must have the right kind. Stateless. */
final class Fields {

    private Fields() {}

    static Optional<Json> field(Json object, String name) {
        return object.get(name).filter(value -> !value.isNull());
    }

    /** The text of a field; empty if it is not there. */
    static String text(Json object, String name) {
        return field(object, name).map(Json::asString).orElse("");
    }

    static OptionalInt number(Json object, String name) {
        return field(object, name).map(value -> OptionalInt.of(value.asInt())).orElse(OptionalInt.empty());
    }

    static List<Json> items(Json object, String name) {
        return field(object, name).map(Json::items).orElse(List.of());
    }

    /** Tokens under the names of one of the protocols; what is not there is not reported. */
    static Usage usage(Json usage, String input, String output) {
        Json none = Json.EMPTY_OBJECT;
        Json read = field(usage, input + "_details").orElse(none);
        Json written = field(usage, output + "_details").orElse(none);
        return new Usage(count(usage, input), count(usage, output), count(read, "cached_tokens"),
                count(read, "cache_write_tokens"), count(written, "reasoning_tokens"));
    }

    private static OptionalLong count(Json object, String name) {
        return field(object, name).map(value -> OptionalLong.of(value.asLong())).orElse(OptionalLong.empty());
    }
}
