package dev.belay.generated;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Spoils JSON a little: the result is JSON again, and often, but not always, breaks the schema it had satisfied. */
final class JsonMutations {

    private static final List<String> NUMBERS = List.of("2.0", "2", "2.5", "0", "-0", "0.0", "-0.0", "1e2",
            "1e0",
            "100e-2", "1e9999", "-1e9999", "1e-9999", "-1e-9999", "0e9999", "0e-9999", "127", "128", "-128",
            "-129", "32767", "32768", "-32769", "2147483647", "2147483648", "-2147483648", "-2147483649",
            "2147483647.0", "2147483647.5", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "9.223372036854775807e18", "3.4028235e38",
            "3.4028236e38", "3.5e38", "1e39", "1.7976931348623157e308", "1.8e308", "1e309", "50", "50.0",
            "50.000000000000000001", "49.99999999999999999999999", "0.999999999999999999999999", "1", "9",
            "10",
            "-1.5", "-1.5000000000000000000001", "-3", "-3.0", "-4", "1" + "0".repeat(400),
            "-" + "9".repeat(400), "0." + "3".repeat(400), "1e400");
    private static final List<String> STRINGS = List.of("", "a", "ab", "abc", "abcd", "abcde", "abcabc\n",
            "d",
            "😀😀", "😀😀😀😀", "😀😀😀😀😀", "é\u0301", "RED", "GREEN", "green", "red", "square", "sq",
            "circle",
            "path", "num", "add", "neg", "2026-01-31", "2026-02-30", "2026-1-31", "+999999999-12-31",
            "+1000000000-01-01", "-999999999-01-01", "09:30", "09:30:00", "24:00", "23:59:60",
            "2026-01-31T09:30:00Z", "2026-01-31t09:30:00z", "2026-01-31T09:30:00", "2026-01-31T09:30+01:00",
            "2026-01-31T09:30:00.123456789012Z", "+999999999-12-31T23:59:59.999999999-18:00",
            "-999999999-01-01T00:00:00+18:00", "2026-01-31T09:30:00+19:00",
            "2026-01-31T09:30:00+01:00[Europe/Paris]", "2026-01-31T09:30:00+01:00[Nowhere/Land]",
            "+999999999-12-31T23:59:59-18:00[Europe/Paris]", "-999999999-01-01T00:00:00+18:00[Europe/Paris]",
            "PT15M", "P1D", "P1M", "P1W", "P2147483647W", "P-2147483648D", "P99999999999Y",
            "PT99999999999999999999S",
            "PT9223372036854775807S", "PT9223372036854775807H", "P106751991167300DT24H", "-PT-5S", "P", "PT",
            "Europe/Paris", "Nowhere/Land", "Z", "+25:00", "UTC+1", "GMT",
            "123e4567-e89b-12d3-a456-426614174000",
            "123E4567-E89B-12D3-A456-426614174000", "123e4567e89b12d3a456426614174000", "1-1-1-1-1",
            "123e4567-e89b-12d3-a456-42661417400g", "https://example.com/a", "not a uri", "%zz",
            "http://[::1",
            "http://", ":", "urn:x", "１２:００", "null", "1", "true");
    private static final List<String> OTHERS = List.of("null", "true", "false", "[]", "{}", "[null]",
            "[1,1.0]",
            "[\"RED\",\"RED\"]", "{\"type\":\"num\",\"value\":1}", "{\"kind\":\"sq\",\"side\":1}",
            "{\"a\":1}");

    private final Random random;

    JsonMutations(Random random) {
        this.random = random;
    }

    /** The same JSON with a few changes. */
    Json spoil(Json json) {
        Object root = thaw(json);
        for (int i = random.nextInt(3); i >= 0; i--) {
            root = change(root);
        }
        var out = new StringBuilder();
        print(root, out);
        return Json.of(out.toString());
    }

    /** Maps, lists, and text of JSON for everything else. */
    private static Object thaw(Json json) {
        return switch (json.kind()) {
            case OBJECT -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                json.fields().forEach((name, value) -> fields.put(name, thaw(value)));
                yield fields;
            }
            case ARRAY -> new ArrayList<>(json.items().stream().map(JsonMutations::thaw).toList());
            case STRING, NUMBER, BOOLEAN, NULL -> json.text();
        };
    }

    /** Walks down at random and changes what it finds where it stops. */
    private Object change(Object at) {
        boolean stop = random.nextInt(4) == 0;
        return switch (at) {
            case Map<?, ?> fields -> stop || fields.isEmpty() ? changeObject(at) : descend(at);
            case List<?> items -> stop || items.isEmpty() ? changeArray(at) : descend(at);
            default -> leaf((String) at);
        };
    }

    @SuppressWarnings("unchecked")
    private Object descend(Object at) {
        if (at instanceof Map<?, ?> map) {
            var fields = (Map<String, Object>) map;
            String name = pick(List.copyOf(fields.keySet()));
            fields.compute(name, (key, value) -> change(value == null ? "null" : value));
        } else {
            var items = (List<Object>) at;
            int index = random.nextInt(items.size());
            items.set(index, change(items.get(index)));
        }
        return at;
    }

    @SuppressWarnings("unchecked")
    private Object changeObject(Object at) {
        var fields = (Map<String, Object>) at;
        List<String> names = List.copyOf(fields.keySet());
        switch (random.nextInt(6)) {
            case 0 -> names.stream().findAny().ifPresent(name -> fields.remove(pick(names)));
            case 1 -> fields.put(pick(List.of("extra", "type", "kind", "a", "", "😀")), leaf("1"));
            case 2 -> {
                if (!names.isEmpty()) {
                    String name = pick(names);
                    Object value = fields.remove(name);
                    fields.put(pick(List.of(name, name + "s")), value == null ? "null" : value);
                }
            }
            case 3 -> {
                if (!names.isEmpty()) {
                    fields.put(pick(names), "null");
                }
            }
            case 4 -> {
                if (!names.isEmpty()) {
                    fields.put("x" + names.size(), copy(fields.getOrDefault(pick(names), "null")));
                }
            }
            default -> {
                return leaf("1");
            }
        }
        return at;
    }

    @SuppressWarnings("unchecked")
    private Object changeArray(Object at) {
        var items = (List<Object>) at;
        switch (random.nextInt(5)) {
            case 0 -> items.add(leaf("1"));
            case 1 -> {
                if (!items.isEmpty()) {
                    items.add(copy(pick(items)));
                }
            }
            case 2 -> {
                if (!items.isEmpty()) {
                    items.removeLast();
                }
            }
            case 3 -> items.add("null");
            default -> {
                return leaf("1");
            }
        }
        return at;
    }

    private static Object copy(Object tree) {
        var out = new StringBuilder();
        print(tree, out);
        return thaw(Json.of(out.toString()));
    }

    /** Mostly something of the same kind, so that deeper checks are reached. */
    private Object leaf(String text) {
        boolean sameKind = random.nextInt(4) != 0;
        char first = text.charAt(0);
        if (sameKind && first == '"') {
            return Json.string(pick(STRINGS)).text();
        }
        if (sameKind && (first == '-' || Character.isDigit(first))) {
            return pick(NUMBERS);
        }
        return switch (random.nextInt(3)) {
            case 0 -> Json.string(pick(STRINGS)).text();
            case 1 -> pick(NUMBERS);
            default -> thaw(Json.of(pick(OTHERS)));
        };
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static void print(Object tree, StringBuilder out) {
        switch (tree) {
            case Map<?, ?> fields -> {
                String before = "{";
                for (var field : fields.entrySet()) {
                    out.append(before).append(Json.string((String) field.getKey()).text()).append(':');
                    print(field.getValue(), out);
                    before = ", ";
                }
                out.append(fields.isEmpty() ? "{}" : "}");
            }
            case List<?> items -> {
                String before = "[";
                for (Object item : items) {
                    out.append(before);
                    print(item, out);
                    before = " ,";
                }
                out.append(items.isEmpty() ? "[]" : "]");
            }
            default -> out.append(tree);
        }
    }
}
