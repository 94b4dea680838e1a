package dev.belay.tool.context;

import dev.belay.generated.Codecs;
import dev.belay.generated.JsonCodec;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.SchemaWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values of one type as JSON. Immutable, thread-safe.
 *
 * @param <T> the type
 */
public final class ValueCodec<T> {

    private final Class<T> type;
    private final JsonCodec<@Nullable Object> codec;
    private final Shape shape;

    private ValueCodec(Class<T> type, JsonCodec<@Nullable Object> codec, Shape shape) {
        this.type = type;
        this.codec = codec;
        this.shape = shape;
    }

    /** For anything that has a schema; {@code unsupported_type} otherwise. */
    public static <T> ValueCodec<T> of(Class<T> type) {
        var shape = ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
        return new ValueCodec<>(type, Codecs.of(shape, type.getClassLoader(), record -> Optional.empty()),
                shape);
    }

    /** What is wrong with a value of this type, one line for each violation of its schema; empty if nothing is. */
    public String problems(Json value) {
        Violations violations = JsonSchema.of(SchemaWriter.write(shape).orElseThrow(), FormatMode.ASSERT)
                .validate(value);
        if (!violations.isEmpty()) {
            return violations.message();
        }
        try {
            decode(value);
            return "";
        } catch (JsonException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The type. */
    public Class<T> type() {
        return type;
    }

    /** The JSON of a value. */
    public Json encode(T value) {
        Objects.requireNonNull(value, "value");
        return Json.write(out -> codec.write(out, value));
    }

    /** The value; {@link JsonException} if it is none of the type. */
    public T decode(Json kept) {
        try {
            return type.cast(
                    Objects.requireNonNull(codec.read(new JsonReader(kept.text(), JsonLimits.DEFAULT))));
        } catch (ClassCastException | NullPointerException e) {
            throw new JsonMismatchException("it is no " + type.getSimpleName());
        }
    }
}
