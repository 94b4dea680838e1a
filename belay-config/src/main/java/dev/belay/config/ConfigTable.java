package dev.belay.config;

import dev.belay.json.Json;
import dev.belay.schema.NearestNames;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A table of a configuration file. A getter answers empty if the key is missing, and throws {@link ConfigException} with the place if
 * its value has another type. A table may lie over another one, whose keys count where it has none. Immutable and thread-safe.
 */
public final class ConfigTable {

    private final String file;
    private final String path;
    private final TomlTable table;
    private final int line;
    private final int column;
    private final @Nullable ConfigTable below;

    ConfigTable(String file, String path, TomlTable table, int line, int column) {
        this(file, path, table, line, column, null);
    }

    private ConfigTable(String file, String path, TomlTable table, int line, int column,
            @Nullable ConfigTable below) {
        this.below = below;
        this.file = file;
        this.path = path;
        this.table = table;
        this.line = line;
        this.column = column;
    }

    /** The same over another table: a key that is not here counts there, and tables of one name lie over each other. */
    public ConfigTable over(ConfigTable other) {
        return new ConfigTable(file, path, table, line, column, below == null ? other : below.over(other));
    }

    /** The file that says a key; empty if none does. */
    public Optional<String> source(String key) {
        return has(key) ? Optional.of(at(key).file) : Optional.empty();
    }

    /** The keys, in the order of the file; those of a table below stand last. */
    public Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>(table.keySet());
        if (below != null) {
            keys.addAll(below.keys());
        }
        return keys;
    }

    /** Whether a key is there. */
    public boolean has(String key) {
        return table.keySet().contains(key) || (below != null && below.has(key));
    }

    /** The table that says a key: this one, unless only one below does. */
    private ConfigTable at(String key) {
        return below == null || table.keySet().contains(key) || !below.has(key) ? this : below.at(key);
    }

    /** A text. */
    public Optional<String> text(String key) {
        return value(key, String.class, "a text");
    }

    /** A whole number. */
    public Optional<Long> integer(String key) {
        return value(key, Long.class, "a whole number");
    }

    /** A number, whole or not. */
    public Optional<BigDecimal> number(String key) {
        return found(key).map(value -> {
            Json json = at(key).json(key, value);
            if (json.kind() != Json.Kind.NUMBER) {
                throw wrong(key, "a number", value);
            }
            return json.asBigDecimal();
        });
    }

    /** True or false. */
    public Optional<Boolean> bool(String key) {
        return value(key, Boolean.class, "true or false");
    }

    /** A duration such as {@code "PT30S"} or {@code "P7D"}. */
    public Optional<Duration> duration(String key) {
        return text(key).map(text -> {
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException e) {
                throw refused(key, "\"" + text + "\" is no duration; write one like \"PT30S\" or \"P7D\"");
            }
        });
    }

    /** One of some words. */
    public Optional<String> word(String key, Collection<String> allowed) {
        Optional<String> text = text(key);
        text.filter(word -> !allowed.contains(word)).ifPresent(word -> {
            throw refused(key, "\"" + word + "\" is not allowed; allowed are " + String.join(", ", allowed)
                    + nearest(word, allowed));
        });
        return text;
    }

    /** Texts: an array of them, or a single one; empty if the key is missing. */
    public List<String> texts(String key) {
        return found(key).map(value -> switch (value) {
            case String one -> List.of(one);
            case TomlArray array -> at(key).texts(key, array);
            default -> throw wrong(key, "a text or an array of texts", value);
        }).orElse(List.of());
    }

    private List<String> texts(String key, TomlArray array) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < array.size(); i++) {
            if (!(array.get(i) instanceof String text)) {
                TomlPosition at = array.inputPositionOf(i);
                throw new ConfigException(List.of(new ConfigProblem(file, at.line(), at.column(),
                        name(key) + " must hold texts only, found " + type(array.get(i)))));
            }
            texts.add(text);
        }
        return texts;
    }

    /** A table inside this one. */
    public Optional<ConfigTable> table(String key) {
        if (below != null && !table.keySet().contains(key)) {
            return below.table(key);
        }
        Optional<ConfigTable> own = value(key, TomlTable.class, "a table")
                .map(inner -> inner(key, inner, position(key)));
        return below == null ? own : own.map(inner -> below.table(key).map(inner::over).orElse(inner));
    }

    /** An array of tables ({@code [[key]]}), or a single table; empty if the key is missing. */
    public List<ConfigTable> tables(String key) {
        return found(key).map(value -> switch (value) {
            case TomlTable one -> List.of(at(key).inner(key, one, at(key).position(key)));
            case TomlArray array -> at(key).tables(key, array);
            default -> throw wrong(key, "one or more tables", value);
        }).orElse(List.of());
    }

    private List<ConfigTable> tables(String key, TomlArray array) {
        var tables = new ArrayList<ConfigTable>();
        for (int i = 0; i < array.size(); i++) {
            if (!(array.get(i) instanceof TomlTable inner)) {
                throw wrong(key, "one or more tables", array.get(i));
            }
            tables.add(inner(key + "[" + i + "]", inner, array.inputPositionOf(i)));
        }
        return tables;
    }

    private ConfigTable inner(String key, TomlTable inner, TomlPosition at) {
        return new ConfigTable(file, name(key), inner, at.line(), at.column());
    }

    /** Any value, as JSON; dates and times as texts. */
    public Optional<Json> json(String key) {
        return found(key).map(value -> at(key).json(key, value));
    }

    private Json json(String key, Object value) {
        return switch (value) {
            case String text -> Json.string(text);
            case Long number -> Json.number(number);
            case Double number when number.isNaN() || number.isInfinite() ->
                throw refused(key, "a number must be finite");
            case Double number -> Json.number(BigDecimal.valueOf(number));
            case Boolean bool -> Json.bool(bool);
            case TomlArray array -> Json.array(array.toList().stream().map(item -> json(key, item)).toList());
            case TomlTable inner -> {
                Map<String, Json> fields = new LinkedHashMap<>();
                inner.entrySet().forEach(field -> fields.put(field.getKey(), json(key, field.getValue())));
                yield Json.object(fields);
            }
            default -> Json.string(value.toString());
        };
    }

    /** The keys that are not known, each with the nearest known one; a caller warns or refuses. */
    public List<ConfigProblem> unknown(Collection<String> known) {
        return keys().stream()
                .filter(key -> !known.contains(key))
                .map(key -> problem(key,
                        "the key \"" + key + "\" is unknown here" + nearest(key, known) + "; known are "
                                + String.join(", ", known)))
                .toList();
    }

    private static String nearest(String word, Collection<String> known) {
        List<String> near = NearestNames.of(word, known, 1);
        return near.isEmpty() ? "" : ", did you mean \"" + near.getFirst() + "\"?";
    }

    /** A problem at the place of a key, or of the table if the key is missing. */
    public ConfigProblem problem(String key, String message) {
        ConfigTable where = at(key);
        TomlPosition at = where.table.inputPositionOf(List.of(key));
        return at == null ? problem(message) : new ConfigProblem(where.file, at.line(), at.column(), message);
    }

    /** A problem of the table as a whole. */
    public ConfigProblem problem(String message) {
        return new ConfigProblem(file, line, column, message);
    }

    /** The same, to be thrown. */
    public ConfigException refused(String key, String message) {
        return new ConfigException(List.of(problem(key, message)));
    }

    private <T> Optional<T> value(String key, Class<T> type, String expected) {
        return found(key).map(value -> {
            if (!type.isInstance(value)) {
                throw wrong(key, expected, value);
            }
            return type.cast(value);
        });
    }

    private Optional<Object> found(String key) {
        return Optional.ofNullable(at(key).table.get(List.of(key)));
    }

    private TomlPosition position(String key) {
        TomlPosition at = table.inputPositionOf(List.of(key));
        return at == null ? TomlPosition.positionAt(line, column) : at;
    }

    private ConfigException wrong(String key, String expected, @Nullable Object value) {
        return refused(key, name(key) + " must be " + expected + ", found " + type(value));
    }

    private String name(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "nothing";
            case String text ->
                "the text \"" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "\"";
            case TomlTable inner -> "a table";
            case TomlArray array -> "an array";
            default -> value.toString();
        };
    }
}
