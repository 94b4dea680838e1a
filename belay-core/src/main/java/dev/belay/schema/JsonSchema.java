package dev.belay.schema;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.schema.compile.SchemaCache;
import dev.belay.schema.compile.SchemaCompiler;
import dev.belay.schema.compile.SchemaPositions;
import dev.belay.schema.rules.SchemaNode;
import dev.belay.schema.rules.Walk;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema of draft 2020-12, compiled once and good for any number of checks. Thread-safe: immutable.
 *
 * <p>A schema may have 256 KiB and 64 levels. References stay inside the schema ({@code #}, {@code #/pointer},
 * {@code #anchor}); {@code $dynamicRef} and {@code $id} below the root are refused; keywords the draft does not know are ignored.
 *
 * <p>Checking is bounded: 100,000 steps and 20 more for each character of the value, and 100,000 character reads for a pattern
 * on one string. What cannot be decided within that is a violation.
 *
 * <p>Regular expressions are those of {@link java.util.regex.Pattern} and match anywhere in the string unless anchored.
 * Against ECMA-262: {@code $} also matches before a final line break, {@code [} inside a character class must be escaped,
 * {@code &&} inside one is an intersection, <code>&#92;u{1F600}</code> is written <code>&#92;x{1F600}</code>, and a dot matches a
 * whole code point. A pattern that Java does not read is refused with the schema.
 */
public final class JsonSchema {

    private static final SchemaCache CACHE = new SchemaCache(SchemaCache.MOST_ENTRIES,
            SchemaCache.MOST_CHARACTERS);

    private final Json json;
    private final FormatMode formats;
    /** Null until it is needed; a race compiles twice, to the same. */
    private volatile @Nullable SchemaNode root;

    private JsonSchema(Json json, FormatMode formats) {
        this.json = json;
        this.formats = formats;
    }

    /**
     * Compiles a schema, or finds it among those compiled lately; the keyword for formats only describes.
     *
     * @param schema the schema; {@link SchemaException} if it cannot be used
     */
    public static JsonSchema of(Json schema) {
        return of(schema, FormatMode.ANNOTATE);
    }

    /**
     * Compiles a schema, or finds it among those compiled lately.
     *
     * @param schema the schema; {@link SchemaException} if it cannot be used
     * @param formats what the keyword for formats does
     */
    public static JsonSchema of(Json schema, FormatMode formats) {
        String text = schema.text();
        return CACHE.get(text, formats, () -> {
            JsonSchema made = trusted(schema, formats);
            made.compiled();
            return made;
        });
    }

    /**
     * A schema that is known to be right, such as one made from types: it is compiled when the first value is checked, which for
     * most tools never comes.
     *
     * @param schema the schema; {@link SchemaException} if it is too long, and at validation if it was wrong after all
     * @param formats what the keyword for formats does
     */
    public static JsonSchema trusted(Json schema, FormatMode formats) {
        checkBytes(schema.text());
        return new JsonSchema(schema, formats);
    }

    private SchemaNode compiled() {
        SchemaNode known = root;
        if (known == null) {
            checkDepth(json);
            known = SchemaCompiler.compile(json, formats);
            root = known;
        }
        return known;
    }

    private static void checkBytes(String text) {
        int most = JsonLimits.SCHEMA.maxBytes();
        if (text.length() <= most / 3) {
            return; // no UTF-16 unit takes more than three bytes
        }
        // a unit takes at least one byte, so that a text far over the limit is not encoded first
        int bytes = text.length() > most ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > most) {
            throw new SchemaException("", "a schema may have at most " + most + " bytes, found " + bytes);
        }
    }

    private static void checkDepth(Json schema) {
        int deepest = schema.height();
        if (deepest > JsonLimits.SCHEMA.maxDepth()) {
            throw new SchemaException("",
                    "a schema may have at most " + JsonLimits.SCHEMA.maxDepth() + " levels, found "
                            + deepest);
        }
    }

    /** The schema as it was given. */
    public Json json() {
        return json;
    }

    /**
     * Finds everything that is wrong with a value.
     *
     * @param value the value to check
     */
    public Violations validate(Json value) {
        return Walk.of(compiled(), value);
    }

    /**
     * The schema without what only describes: description, title, examples, default, $comment, deprecated, readOnly, writeOnly.
     * Properties of these names and the content of constants stay.
     */
    public Json withoutAnnotations() {
        return SchemaPositions.withoutAnnotations(json);
    }

    @Override
    public String toString() {
        return json.text();
    }
}
