package dev.belay.generated;

import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.json.RecordForms;
import dev.belay.schema.shape.ReflectedType;
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
            return new CodecForm(codec(type));
        }
    };

    /** Made by the service loader. */
    public ShapedRecords() {}

    @Override
    protected Form form(Class<?> type) {
        return FORMS.get(type);
    }

    private static JsonCodec<@Nullable Object> codec(Class<?> type) {
        if (!type.isRecord()) {
            throw new UnsupportedTypeException(type.getName() + " is no record",
                    "put what is to be JSON into a record, or use the methods of Json");
        }
        if (type.getTypeParameters().length > 0) {
            throw new UnsupportedTypeException(type.getName()
                    + " has type parameters, and what they stand for is not known at run time",
                    "write a record without them around it, for example record Orders(List<Order> orders)");
        }
        Shape shape = ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
        return Codecs.of(shape, type.getClassLoader(), one -> Optional.empty());
    }

    private record CodecForm(JsonCodec<@Nullable Object> codec) implements Form {

        @Override
        public Object read(JsonReader in) {
            return Objects.requireNonNull(codec.read(in), "a record is never null");
        }

        @Override
        public void write(JsonWriter out, Object value) {
            codec.write(out, value);
        }
    }
}
