package dev.belay.schema;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The secrets that are given to one server, to take them out of every text that comes back from it: servers repeat keys in messages of
 * errors. A text is passed through here where it comes in, before it is cut. A value of fewer than six characters is left where it stands,
 * because it is a part of ordinary words. Immutable.
 */
public final class KnownSecrets {

    /** No secrets. */
    public static final KnownSecrets NONE = new KnownSecrets(List.of());

    private static final int SHORTEST = 6;
    private static final String HIDDEN = "(secret not shown)";

    private final List<String> values;

    private KnownSecrets(List<String> values) {
        this.values = values;
    }

    /** These values; white space around them does not count. */
    public static KnownSecrets of(Collection<String> values) {
        return new KnownSecrets(values.stream()
                .map(String::strip)
                .filter(value -> value.length() >= SHORTEST)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed()) // one may be a part of another
                .toList());
    }

    /** The text without them. */
    public String hideIn(String text) {
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(value, HIDDEN);
        }
        return hidden;
    }

    /** The value without them in its texts and names, however these are escaped. */
    public Json hideIn(Json value) {
        String text = values.isEmpty() ? "" : value.text();
        boolean none = text.indexOf('\\') < 0 && hideIn(text).equals(text);
        return none ? value : hidden(value);
    }

    private Json hidden(Json value) {
        return switch (value.kind()) {
            case STRING -> {
                String text = value.asString();
                String hidden = hideIn(text);
                yield hidden.equals(text) ? value : Json.string(hidden);
            }
            case ARRAY -> {
                List<Json> items = new ArrayList<>();
                value.items().forEach(item -> items.add(hidden(item)));
                yield items.equals(value.items()) ? value : Json.array(items);
            }
            case OBJECT -> {
                Map<String, Json> fields = new LinkedHashMap<>();
                value.fields().forEach((name, field) -> fields.put(hideIn(name), hidden(field)));
                yield fields.equals(value.fields()) ? value : Json.object(fields);
            }
            default -> value;
        };
    }

    /** Says how many there are, not which. */
    @Override
    public String toString() {
        return "KnownSecrets[" + values.size() + " not shown]";
    }
}
