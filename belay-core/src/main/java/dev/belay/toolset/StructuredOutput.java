package dev.belay.toolset;

import dev.belay.generated.Codecs;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonSyntaxException;
import dev.belay.model.OutputSpec;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Names;
import dev.belay.schema.TypeRef;
import dev.belay.schema.Violations;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.SchemaWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.toolset.loop.OutputForm;
import dev.belay.toolset.loop.OutputForm.Reading;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * An answer that is JSON of a known shape, and the Java value it stands for. Immutable, thread-safe.
 *
 * @param <R> the value
 */
public final class StructuredOutput<R> {

    /** Providers take no longer one. */
    private static final int LONGEST_NAME = 64;

    private final String name;
    private final JsonSchema schema;
    private final Function<Json, R> decoder;

    private StructuredOutput(String name, JsonSchema schema, Function<Json, R> decoder) {
        this.name = name;
        this.schema = schema;
        this.decoder = decoder;
    }

    /** The type of an answer: a record or a sealed interface of records. */
    public static <R> StructuredOutput<R> of(Class<R> type) {
        String name = Names.snakeCase(type.getSimpleName()).replaceAll("[^a-z0-9_]", "_");
        return of(type, name.substring(0, Math.min(name.length(), LONGEST_NAME)), type.getClassLoader());
    }

    /** The type of an answer, with type arguments. */
    public static <R> StructuredOutput<R> of(TypeRef<R> type) {
        return of(type.type(), "answer", type.getClass().getClassLoader());
    }

    @SuppressWarnings("unchecked")
    private static <R> StructuredOutput<R> of(Type type, String name, ClassLoader loader) {
        Shape shape = ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
        if (!(shape instanceof Shape.Structure || shape instanceof Shape.Union
                || shape instanceof Shape.Mapping)) {
            throw new UnsupportedTypeException(type.getTypeName() + " cannot be a structured answer",
                    "models answer with a JSON object: put it into a record");
        }
        JsonSchema schema = JsonSchema.of(SchemaWriter.write(shape).orElseThrow(), FormatMode.ASSERT);
        var codec = Codecs.of(shape, loader, record -> Optional.empty());
        return new StructuredOutput<>(name, schema,
                json -> (R) Objects
                        .requireNonNull(codec.read(new JsonReader(json.text(), JsonLimits.DEFAULT))));
    }

    /** JSON that satisfies a schema, as it is. */
    public static StructuredOutput<Json> of(OutputSpec.Schema form) {
        return new StructuredOutput<>(form.name(), JsonSchema.of(form.schema(), FormatMode.ASSERT),
                json -> json);
    }

    /** A choice of tools by the model, for the next step: an object with the array {@code tools}. */
    public static <T> StructuredOutput<List<ToolSelector<T>>> selection(Toolset<T> set) {
        Json schema = Json.of("{\"type\":\"object\",\"properties\":{\"tools\":{\"type\":\"array\",\"items\":"
                + set.selectorSchema() + "}},\"required\":[\"tools\"],\"additionalProperties\":false}");
        return new StructuredOutput<>("tool_selection", JsonSchema.of(schema),
                json -> set.selectors(json.get("tools").orElseThrow()));
    }

    /** What a request asks for. */
    public OutputSpec.Schema spec() {
        return new OutputSpec.Schema(name, schema.json());
    }

    /** For the runtime: what is asked for and how it is read; its type is not exported. */
    public OutputForm<R> form() {
        return new OutputForm<>(spec(), this::read);
    }

    private Reading<R> read(String text) {
        Json json;
        try {
            json = Json.of(unfenced(text));
        } catch (JsonSyntaxException e) {
            return new Reading.Wrong<>("it is not JSON: " + e.getMessage());
        }
        Violations violations = schema.validate(json);
        if (!violations.isEmpty()) {
            return new Reading.Wrong<>(violations.message());
        }
        try {
            return new Reading.Right<>(decoder.apply(json));
        } catch (JsonException e) {
            return new Reading.Wrong<>(String.valueOf(e.getMessage()));
        }
    }

    /** Models like to put JSON into a code block; the block around the whole text is taken off. */
    private static String unfenced(String text) {
        String stripped = text.strip();
        int start = stripped.indexOf('\n');
        boolean fenced = stripped.startsWith("```") && stripped.endsWith("```") && start > 0
                && stripped.length() > start + 3;
        return fenced ? stripped.substring(start + 1, stripped.length() - 3) : text;
    }
}
