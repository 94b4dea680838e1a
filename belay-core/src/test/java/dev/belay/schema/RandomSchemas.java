package dev.belay.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random schemas and values over a small vocabulary, so that they often have to do with each other. */
final class RandomSchemas {

    private static final List<String> NAMES = List.of("a", "b", "c", "ab", "tag");
    private static final List<String> STRINGS = List.of("", "a", "b", "ab", "abc", "aaa", "x", "😀", "1");
    private static final List<String> NUMBERS = List.of("0", "1", "2", "3", "-1", "1.0", "2.5", "10", "0.1",
            "1e2", "-2.50",
            "100", "3e0");
    private static final List<String> PATTERNS = List.of("^a", "b$", "^[a-c]+$", "a|x", "^.{2}$");

    private final Random random;
    private final Draft draft;

    RandomSchemas(long seed, Draft draft) {
        this.random = new Random(seed);
        this.draft = draft;
    }

    /** A schema whose references lead to two definitions; only fields and items lead back to them. */
    String schema() {
        String root = schema(3, true);
        if (root.equals("true") || root.equals("false")) {
            return root;
        }
        String definitions = "\"$defs\":{\"p\":" + schema(2, false) + ",\"q\":" + schema(1, false) + "}";
        return root.equals("{}")
                ? "{" + definitions + "}"
                : root.substring(0, root.length() - 1) + "," + definitions + "}";
    }

    String value() {
        return value(3);
    }

    private String schema(int depth, boolean mayRefer) {
        if (depth == 0 || random.nextInt(12) == 0) {
            return switch (random.nextInt(8)) {
                case 0 -> draft == Draft.DRAFT_4 ? "{\"not\":{}}" : "false";
                case 1 -> draft == Draft.DRAFT_4 ? "{}" : "true";
                case 2 -> "{}";
                default -> "{" + keyword(0, mayRefer) + "}";
            };
        }
        List<String> keywords = new ArrayList<>();
        List<String> names = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String keyword = keyword(depth, mayRefer);
            String name = keyword.substring(0, keyword.indexOf(':'));
            if (!names.contains(name)) {
                names.add(name);
                keywords.add(keyword);
            }
        }
        if (names.contains("\"if\"")) {
            keywords.add("\"then\":" + schema(depth - 1, mayRefer));
            keywords.add("\"else\":" + schema(depth - 1, mayRefer));
        }
        return "{" + String.join(",", keywords) + "}";
    }

    private String keyword(int depth, boolean mayRefer) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return scalarKeyword(mayRefer);
        }
        int less = depth - 1;
        return switch (random.nextInt(18)) {
            case 0, 1 -> "\"properties\":" + object(() -> schema(less, true));
            case 2 -> "\"patternProperties\":{\"" + pick(PATTERNS) + "\":" + schema(less, true) + "}";
            case 3 -> "\"additionalProperties\":" + schema(less, true);
            case 4 -> "\"unevaluatedProperties\":" + schema(less, true);
            case 5 -> "\"unevaluatedItems\":" + schema(less, true);
            case 6 -> "\"items\":" + schema(less, true);
            case 7 -> draft == Draft.DRAFT_2020_12
                    ? "\"prefixItems\":" + list(() -> schema(less, true))
                    : "\"items\":" + list(() -> schema(less, true)) + ",\"additionalItems\":"
                            + schema(less, true);
            // the judge lets it evaluate items in draft 2019-09 too
            case 8 -> (draft == Draft.DRAFT_2019_09 ? "\"items\":" : "\"contains\":") + schema(less, true);
            case 9 -> "\"propertyNames\":" + schema(less, mayRefer);
            case 10 -> (draft.knows("dependentSchemas") ? "\"dependentSchemas\":" : "\"dependencies\":")
                    + object(() -> schema(less, mayRefer));
            case 11, 12 -> "\"allOf\":" + list(() -> schema(less, mayRefer));
            case 13 -> "\"anyOf\":" + list(() -> schema(less, mayRefer));
            case 14 ->
                "\"oneOf\":" + list(() -> random.nextBoolean() ? tagged(less) : schema(less, mayRefer));
            case 15 -> "\"anyOf\":" + list(() -> tagged(less));
            case 16 -> "\"not\":" + schema(less, mayRefer);
            default -> "\"if\":" + schema(less, mayRefer);
        };
    }

    private String tagged(int depth) {
        return "{\"properties\":{\"tag\":{\"const\":\"" + pick(STRINGS) + "\"},\"a\":" + schema(depth, true)
                + "}"
                + (random.nextBoolean() ? ",\"required\":[\"tag\"]" : "") + "}";
    }

    private String scalarKeyword(boolean mayRefer) {
        return switch (random.nextInt(21)) {
            case 0, 1 -> "\"type\":\"" + type() + "\"";
            case 2 -> "\"type\":[\"" + type() + "\",\"null\"]".replace("\"null\",\"null\"", "\"null\"");
            case 3 -> "\"enum\":[" + value(1) + "," + value(0) + "]";
            case 4 -> "\"const\":" + value(1);
            case 5 -> "\"minimum\":" + pick(NUMBERS);
            case 6 -> "\"maximum\":" + pick(NUMBERS);
            case 7 -> exclusive("minimum", "exclusiveMinimum");
            case 8 -> exclusive("maximum", "exclusiveMaximum");
            case 9 -> "\"multipleOf\":" + List.of("1", "2", "0.5", "0.1", "3").get(random.nextInt(5));
            case 10 -> "\"minLength\":" + random.nextInt(3);
            case 11 -> "\"maxLength\":" + random.nextInt(4);
            case 12 -> "\"pattern\":\"" + pick(PATTERNS) + "\"";
            case 13 -> "\"minItems\":" + random.nextInt(3);
            case 14 -> "\"maxItems\":" + random.nextInt(4);
            // typed, since the judge applies it to objects too
            case 15 -> "\"allOf\":[{\"type\":\"array\",\"uniqueItems\":" + random.nextBoolean() + "}]";
            case 16 -> "\"required\":[\"" + pick(NAMES) + "\"]";
            case 17 -> "\"minProperties\":" + random.nextInt(3);
            case 18 -> "\"maxProperties\":" + random.nextInt(4);
            case 19 -> (draft.knows("dependentRequired") ? "\"dependentRequired\":{" : "\"dependencies\":{")
                    + "\"" + pick(NAMES) + "\":[\"" + pick(NAMES) + "\"]}";
            default -> mayRefer
                    ? "\"$ref\":\"#/$defs/" + (random.nextBoolean() ? "p" : "q") + "\""
                    : "\"type\":\"object\"";
        };
    }

    private String exclusive(String limit, String keyword) {
        return draft == Draft.DRAFT_4
                ? "\"" + limit + "\":" + pick(NUMBERS) + ",\"" + keyword + "\":" + random.nextBoolean()
                : "\"" + keyword + "\":" + pick(NUMBERS);
    }

    private String type() {
        // 1.0 is no integer for the judge in draft 4
        String whole = draft == Draft.DRAFT_4 ? "number" : "integer";
        return pick(List.of("object", "object", "array", "string", "number", whole, "boolean", "null"));
    }

    private String value(int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 12)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2, 3 -> pick(NUMBERS);
            case 4, 5 -> "\"" + pick(STRINGS) + "\"";
            case 6, 7 -> random.nextInt(6) == 0 ? "[]" : list(() -> value(depth - 1));
            default -> random.nextInt(6) == 0 ? "{}" : object(() -> value(depth - 1));
        };
    }

    private String list(Supplier<String> element) {
        List<String> elements = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            elements.add(element.get());
        }
        return "[" + String.join(",", elements) + "]";
    }

    private String object(Supplier<String> element) {
        List<String> fields = new ArrayList<>();
        for (String name : NAMES) {
            if (random.nextInt(2) == 0) {
                boolean tag = name.equals("tag") && random.nextInt(3) != 0;
                fields.add("\"" + name + "\":" + (tag && fields.isEmpty() ? "\"a\"" : element.get()));
            }
        }
        return ("{" + String.join(",", fields) + "}").replace("\"tag\":\"a\"", "\"tag\":" + element.get());
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
