package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.Draft;
import dev.belay.schema.SchemaException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keywords of one schema object that count in its draft; refuses those of a wrong type.
 *
 * @param fields the schema's fields
 * @param place where the schema stands in the whole
 * @param draft whose rules apply
 */
public record Keywords(Map<String, Json> fields, Place place, Draft draft) {

    /** All fields of a schema whose draft is not known yet. */
    public static Keywords whole(Json schema, Place place, Draft draft) {
        return new Keywords(schema.kind() == Kind.OBJECT ? schema.fields() : Map.of(), place, draft);
    }

    /** Leaves out what the draft does not know, and what stands beside a reference that must stand alone. */
    public static Keywords of(Json schema, Place place, Draft draft) {
        if (schema.kind() != Kind.OBJECT) {
            return new Keywords(Map.of(), place, draft);
        }
        Map<String, Json> fields = schema.fields();
        Json reference = fields.get("$ref");
        if (reference != null && draft.referenceStandsAlone()) {
            return new Keywords(Map.of("$ref", reference), place, draft);
        }
        if (!fields.keySet().stream().allMatch(draft::knows)) {
            fields = new LinkedHashMap<>(fields);
            fields.keySet().removeIf(keyword -> !draft.knows(keyword));
        }
        return new Keywords(fields, place, draft);
    }

    public boolean has(String keyword) {
        return fields.containsKey(keyword);
    }

    public @Nullable Json get(String keyword) {
        return fields.get(keyword);
    }

    public Place place(String keyword) {
        return place.field(keyword);
    }

    /** The number given for a keyword, or null. */
    public @Nullable Json number(String keyword) {
        Json value = get(keyword);
        if (value != null && value.kind() != Kind.NUMBER) {
            throw wrong(keyword, "a number");
        }
        return value;
    }

    /** A count from 0 on; more than an array can hold is as good as no limit. */
    public int count(String keyword) {
        Json value = number(keyword);
        if (value == null || !Numbers.isWhole(value) || value.asBigDecimal().signum() < 0) {
            throw wrong(keyword, "a whole number of at least 0");
        }
        return value.asBigDecimal().min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
    }

    public boolean flag(String keyword) {
        Json value = get(keyword);
        if (value != null && value.kind() != Kind.BOOLEAN) {
            throw wrong(keyword, "true or false");
        }
        return value != null && value.asBoolean();
    }

    public @Nullable String string(String keyword) {
        Json value = get(keyword);
        if (value != null && value.kind() != Kind.STRING) {
            throw wrong(keyword, "a string");
        }
        return value == null ? null : value.asString();
    }

    /** The type if it is a single one, or null. */
    public @Nullable String onlyType() {
        Json type = get("type");
        return type != null && type.kind() == Kind.STRING ? type.asString() : null;
    }

    public List<String> stringOrStrings(String keyword) {
        Json value = get(keyword);
        return value != null && value.kind() == Kind.STRING ? List.of(value.asString()) : strings(keyword);
    }

    public List<String> strings(String keyword) {
        return strings(get(keyword), keyword, place(keyword));
    }

    /** Lists of strings by name; none if the keyword is absent. A schema among {@code dependencies} is left out. */
    public Map<String, List<String>> stringsByName(String keyword) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        if (has(keyword)) {
            object(keyword).forEach((name, list) -> {
                if (list.kind() == Kind.ARRAY || !keyword.equals("dependencies")) {
                    lists.put(name, strings(list, keyword, place(keyword).field(name)));
                }
            });
        }
        return lists;
    }

    private static List<String> strings(@Nullable Json value, String keyword, Place place) {
        if (value == null || value.kind() != Kind.ARRAY) {
            throw wrong(place, keyword, "an array of strings", value);
        }
        List<String> strings = new ArrayList<>();
        for (Json item : value.items()) {
            if (item.kind() != Kind.STRING) {
                throw wrong(place.item(strings.size()), keyword, "a string", item);
            }
            strings.add(item.asString());
        }
        return List.copyOf(strings);
    }

    /** The fields of an object given for a keyword. */
    public Map<String, Json> object(String keyword) {
        Json value = get(keyword);
        if (value == null || value.kind() != Kind.OBJECT) {
            throw wrong(keyword, "an object");
        }
        return value.fields();
    }

    /** The items of an array given for a keyword. */
    public List<Json> array(String keyword) {
        Json value = get(keyword);
        if (value == null || value.kind() != Kind.ARRAY || value.items().isEmpty()) {
            throw wrong(keyword, "an array of at least one schema");
        }
        return value.items();
    }

    /** A complaint about the value of a keyword. */
    public SchemaException wrong(String keyword, String expected) {
        return wrong(place(keyword), keyword, expected, get(keyword));
    }

    private static SchemaException wrong(Place place, String keyword, String expected, @Nullable Json found) {
        return new SchemaException(place.pointer(), keyword + " expects " + expected + ", found "
                + (found == null ? "nothing" : Excerpt.of(found)));
    }

    public static String plural(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
