package dev.belay.generated;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonWriter;
import dev.belay.json.RecordForms;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.SchemaWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.UnsupportedTypeException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes records by the shapes of their types, for {@code Json.as} and {@code Json.from}. Thread-safe. */
public final class ShapedRecords extends RecordForms {

    private static final ClassValue<Form> FORMS = new ClassValue<>() {
        @Override
        protected Form computeValue(Class<?> type) {
            return form(type, shape(type));
        }
    };

    /** Made by the service loader. */
    public ShapedRecords() {}

    @Override
    protected Form form(Class<?> type) {
        return FORMS.get(type);
    }

    private static Shape shape(Class<?> type) {
        if (!type.isRecord()) {
            throw new UnsupportedTypeException(type.getName() + " is no record",
                    "put what is to be JSON into a record, or use the methods of Json");
        }
        if (type.getTypeParameters().length > 0) {
            throw new UnsupportedTypeException(type.getName()
                    + " has type parameters, and what they stand for is not known at run time",
                    "write a record without them around it, for example record Orders(List<Order> orders)");
        }
        return ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
    }

    private static Form form(Class<?> type, Shape shape) {
        return new CodecForm(Codecs.of(shape, type.getClassLoader(), one -> Optional.empty()),
                JsonSchema.of(SchemaWriter.write(shape).orElseThrow(), FormatMode.ASSERT));
    }

    private record CodecForm(JsonCodec<@Nullable Object> codec, JsonSchema schema) implements Form {

        /** One pass; what does not fit is looked at again, to say everything that is wrong with it. */
        @Override
        public Object read(Json json) {
            try {
                return json.as(in -> Objects.requireNonNull(codec.read(in), "a record is never null"));
            } catch (JsonException e) {
                Violations violations = schema.validate(json);
                throw violations.isEmpty() ? e : new JsonMismatchException(violations.message());
            }
        }

        @Override
        public void write(JsonWriter out, Object value) {
            codec.write(out, value);
        }
    }
}
