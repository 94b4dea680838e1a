package dev.belay.model.http.wire;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.ModelException;
import dev.belay.schema.Wording;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads fields that may be missing or null; servers do not agree on which. A field that is set must have the right kind. Stateless. */
public final class WireFields {

    /** No answer has more parts; numbers near the largest int could not be counted on from. */
    private static final int LAST_PLACE = 1_000_000;
    private static final int LONGEST_SHOWN = 200;

    private WireFields() {}

    /** The value of a field; empty if it is missing or null. */
    public static Optional<Json> field(Json object, String name) {
        return object.get(name).filter(value -> !value.isNull());
    }

    /** The text of a field; {@code ""} if it is missing or null. */
    public static String text(Json object, String name) {
        return field(object, name).map(Json::asString).orElse("");
    }

    /** Why an answer ended; {@code ""} if it has not: on unfinished pieces some servers send blank text or a word for nothing. */
    public static String reason(Json object, String name) {
        String said = text(object, name).strip();
        return said.equalsIgnoreCase("null") || said.equalsIgnoreCase("none") ? "" : said;
    }

    /** The field {@code type}, which tells the variants of an object apart; {@code ""} if it is missing or null. */
    public static String type(Json object) {
        return text(object, "type");
    }

    /**
     * The place of something in a list; empty if it is missing or null.
     *
     * @throws ModelException if it is negative or over a million
     */
    public static OptionalInt index(Json object, String name) {
        Optional<Json> value = field(object, name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        int index = value.get().asInt();
        if (index < 0 || index > LAST_PLACE) {
            throw new ModelException(ModelException.Kind.PROTOCOL,
                    "the model sent " + index + " as \"" + name + "\", which must be from 0 to "
                            + LAST_PLACE);
        }
        return OptionalInt.of(index);
    }

    /**
     * A count of tokens; empty if it is missing, null, or not a whole number from 0 on. Some servers send -1 for a count that
     * they do not know, and a wrong count must not cost the answer.
     */
    public static OptionalLong count(Json object, String name) {
        try {
            OptionalLong count = field(object, name).map(value -> OptionalLong.of(value.asLong()))
                    .orElse(OptionalLong.empty());
            return count.orElse(0) < 0 ? OptionalLong.empty() : count;
        } catch (JsonException noCount) {
            return OptionalLong.empty();
        }
    }

    /**
     * The items of a list whose variants are told apart by their {@code type}; none if it is missing or null.
     *
     * @throws ModelException if one of them has no type
     */
    public static List<Json> typed(Json object, String name) {
        List<Json> items = items(object, name);
        items.forEach(WireFields::requireType);
        return items;
    }

    /** Refuses what is no object with a type: no answer of the protocol has it. */
    public static void requireType(Json part) {
        if (type(part).isEmpty()) {
            throw new ModelException(ModelException.Kind.PROTOCOL, "the model sent a part without a type: "
                    + Wording.shown(part.text(), LONGEST_SHOWN));
        }
    }

    /** The items of a list; none if it is missing or null. */
    public static List<Json> items(Json object, String name) {
        return field(object, name).map(Json::items).orElse(List.of());
    }
}
