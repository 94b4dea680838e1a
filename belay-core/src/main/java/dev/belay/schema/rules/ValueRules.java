package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.json.JsonException;
import dev.belay.schema.Violation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules for values of any kind: {@code type}, {@code enum}, {@code const}, {@code false}. */
public final class ValueRules {

    /** What a schema expects that no value satisfies. */
    static final String NOTHING = "nothing at all here";

    private ValueRules() {}

    public static void compile(SchemaNode node, Keywords keywords) {
        if (keywords.has("type")) {
            type(node, keywords);
        }
        Json allowed = keywords.get("enum");
        if (allowed != null) {
            if (allowed.kind() != Kind.ARRAY) {
                throw keywords.wrong("enum", "an array");
            }
            node.addAlways(new OneOfValues("enum", allowed.items()));
        }
        Json constant = keywords.get("const");
        if (constant != null) {
            node.addAlways(new OneOfValues("const", List.of(constant)));
        }
    }

    /** What the schema {@code false} says. */
    public static Rule nothing() {
        return (value, walk, seen) -> walk.fail("false", value, () -> NOTHING);
    }

    private static void type(SchemaNode node, Keywords keywords) {
        List<String> names = new ArrayList<>(new LinkedHashSet<>(keywords.stringOrStrings("type")));
        if (Json.TRUE.equals(keywords.get("nullable")) && !names.contains("null")) {
            names.add("null"); // OpenAPI's way to say so
        }
        Set<Kind> allowed = EnumSet.noneOf(Kind.class);
        boolean anyNumber = false;
        for (String name : names) {
            switch (name) {
                case "object" -> allowed.add(Kind.OBJECT);
                case "array" -> allowed.add(Kind.ARRAY);
                case "string" -> allowed.add(Kind.STRING);
                case "boolean" -> allowed.add(Kind.BOOLEAN);
                case "null" -> allowed.add(Kind.NULL);
                case "integer" -> allowed.add(Kind.NUMBER);
                case "number" -> {
                    allowed.add(Kind.NUMBER);
                    anyNumber = true;
                }
                default -> throw keywords.wrong("type",
                        "object, array, string, number, integer, boolean or null");
            }
        }
        String expected = names.isEmpty()
                ? NOTHING
                : String.join(" or ", names.stream().map(ValueRules::noun).toList());
        for (Kind kind : Kind.values()) {
            if (!allowed.contains(kind)) {
                node.add((value, walk, seen) -> wrongType(value, walk, expected, names), kind);
            }
        }
        if (allowed.contains(Kind.NUMBER) && !anyNumber) {
            node.add((value, walk, seen) -> {
                walk.charge(value.text().length() >> 4);
                return Numbers.isWhole(value) || wrongType(value, walk, expected, names);
            }, Kind.NUMBER);
        }
    }

    /** The noun for a type's name, for sentences that begin with "expected". */
    static String noun(String type) {
        return switch (type) {
            case "object" -> "an object";
            case "array" -> "an array";
            case "integer" -> "a whole number";
            case "boolean" -> "true or false";
            case "null" -> "null";
            default -> "a " + type;
        };
    }

    private static boolean wrongType(Json value, Walk walk, String expected, List<String> types) {
        String advice = walk.adviceAboutNull(value);
        return walk.fail("type", pointer -> new Violation(pointer, "type", expected, Excerpt.of(value),
                advice == null ? hintAboutQuotes(value, types) : advice));
    }

    /** Models like to quote what must not be quoted. */
    private static @Nullable String hintAboutQuotes(Json value, List<String> types) {
        if (value.kind() != Kind.STRING || value.asString().length() > Excerpt.LENGTH) {
            return null;
        }
        try {
            Json inside = Json.of(value.asString());
            boolean fits = switch (inside.kind()) {
                case OBJECT -> types.contains("object");
                case ARRAY -> types.contains("array");
                case NUMBER ->
                    types.contains("number") || (types.contains("integer") && Numbers.isWhole(inside));
                case BOOLEAN -> types.contains("boolean");
                case NULL -> types.contains("null");
                case STRING -> false;
            };
            return fits ? "write " + Excerpt.of(inside) + " without quotes" : null;
        } catch (JsonException notJson) {
            return null;
        }
    }

    /** {@code enum} and {@code const}. */
    private static final class OneOfValues implements Rule {

        private final String keyword;
        private final List<Json> allowed;
        private final Set<String> strings = new LinkedHashSet<>();
        private final ValueIndex others = new ValueIndex();

        OneOfValues(String keyword, List<Json> allowed) {
            this.keyword = keyword;
            this.allowed = allowed;
            for (Json value : allowed) {
                if (value.kind() == Kind.STRING) {
                    strings.add(value.asString());
                } else {
                    others.put(value);
                }
            }
        }

        @Override
        public boolean check(Json value, Walk walk, @Nullable Seen seen) {
            boolean found = value.kind() == Kind.STRING
                    ? hasString(value.asString(), walk)
                    : others.contains(value, walk);
            if (found) {
                return true;
            }
            String advice = walk.adviceAboutNull(value);
            return walk.fail(keyword, pointer -> new Violation(pointer, keyword,
                    expected(), Excerpt.of(value),
                    advice == null ? hint(value, walk) : advice));
        }

        private String expected() {
            return allowed.isEmpty()
                    ? NOTHING
                    : (allowed.size() == 1 ? "" : "one of ") + Excerpt.list(allowed);
        }

        private boolean hasString(String text, Walk walk) {
            walk.chargeText(text);
            return strings.contains(text);
        }

        private @Nullable String hint(Json value, Walk walk) {
            if (value.kind() != Kind.STRING || allowed.size() == 1) {
                return null;
            }
            String nearest = walk.nearest(value.asString(), () -> strings);
            return nearest == null ? null : "did you mean " + Excerpt.quoted(nearest) + "?";
        }
    }
}
