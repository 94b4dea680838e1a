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
 * A JSON Schema of one of the {@linkplain Draft drafts} 4 to 2020-12, compiled once by the rules of that draft and good for any
 * number of checks. Thread-safe: immutable.
 *
 * <p>A schema may have 256 KiB and 64 levels. References stay inside the schema ({@code #}, {@code #/pointer},
 * {@code #anchor}, or the {@code $id} of a part); keywords the draft does not know are ignored. OpenAPI's
 * {@code "nullable": true} beside {@code type} allows null.
 *
 * <p>Checking is bounded: 10,000,000 steps and 100 more for each character of the value. A value that cannot be decided within
 * that is a violation.
 *
 * <p>Regular expressions are those of ECMA-262 with the flag {@code u}, without back-references; see {@link BoundedPattern}.
 */
public final class JsonSchema {

    private static final SchemaCache CACHE = new SchemaCache(SchemaCache.MOST_ENTRIES,
            SchemaCache.MOST_CHARACTERS);

    private final Json json;
    private final FormatMode formats;
    /** For a schema that does not name its own. */
    private final Draft draft;
    /** Null until it is needed; a race compiles twice, to the same. */
    private volatile @Nullable SchemaNode root;

    private JsonSchema(Json json, FormatMode formats, Draft draft) {
        this.json = json;
        this.formats = formats;
        this.draft = draft;
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
        return of(schema, formats, Draft.DRAFT_2020_12);
    }

    /**
     * Compiles a schema from elsewhere, or finds it among those compiled lately; the keyword for formats only describes.
     *
     * @param schema the schema; {@link SchemaException} if it cannot be used
     * @param unnamed the draft of its source, which counts if the schema does not name one by {@code $schema}
     */
    public static JsonSchema of(Json schema, Draft unnamed) {
        return of(schema, FormatMode.ANNOTATE, unnamed);
    }

    private static JsonSchema of(Json schema, FormatMode formats, Draft draft) {
        String text = schema.text();
        return CACHE.get(text, formats, draft, () -> {
            checkBytes(text);
            JsonSchema made = new JsonSchema(schema, formats, draft);
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
        return new JsonSchema(schema, formats, Draft.DRAFT_2020_12);
    }

    private SchemaNode compiled() {
        SchemaNode known = root;
        if (known == null) {
            checkDepth(json);
            known = SchemaCompiler.compile(json, formats, draft);
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

    /** The schema together with how it is read, in a form that can be kept; {@link #ofKept} reads it. */
    public Json kept() {
        return Json.write(out -> out.beginObject()
                .name("schema")
                .value(json)
                .name("formats")
                .value(formats.name())
                .name("draft")
                .value(draft.name())
                .endObject());
    }

    /** The schema that {@link #kept} has written. */
    public static JsonSchema ofKept(Json kept) {
        return of(kept.get("schema").orElseThrow(),
                FormatMode.valueOf(kept.get("formats").orElseThrow().asString()),
                Draft.valueOf(kept.get("draft").orElseThrow().asString()));
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
