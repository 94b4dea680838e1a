package dev.belay.model.http.wire;

import dev.belay.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads fields that may be missing or null; servers do not agree on which. A field that is set must have the right kind. Stateless. */
public final class WireFields {

    private WireFields() {}

    /** The value of a field; empty if it is missing or null. */
    public static Optional<Json> field(Json object, String name) {
        return object.get(name).filter(value -> !value.isNull());
    }

    /** The text of a field; {@code ""} if it is missing or null. */
    public static String text(Json object, String name) {
        return field(object, name).map(Json::asString).orElse("");
    }

    /** The field {@code type}, which tells the variants of an object apart; {@code ""} if it is missing or null. */
    public static String type(Json object) {
        return text(object, "type");
    }

    /** A small number, such as an index; empty if it is missing or null. */
    public static OptionalInt number(Json object, String name) {
        return field(object, name).map(value -> OptionalInt.of(value.asInt())).orElse(OptionalInt.empty());
    }

    /** A count of tokens; empty if it is missing or null. */
    public static OptionalLong count(Json object, String name) {
        return field(object, name).map(value -> OptionalLong.of(value.asLong())).orElse(OptionalLong.empty());
    }

    /** The items of a list; none if it is missing or null. */
    public static List<Json> items(Json object, String name) {
        return field(object, name).map(Json::items).orElse(List.of());
    }
}
