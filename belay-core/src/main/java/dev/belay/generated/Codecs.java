package dev.belay.generated;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeIndex;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds the codec of a shape. One engine serves generated code and reflection: only how a record is made and read differs.
 */
public final class Codecs {

    private final ShapeIndex index;
    private final ClassLoader loader;
    private final Function<Class<?>, Optional<RecordAccess>> generated;
    private final Map<String, JsonCodec<Object>> known = new HashMap<>();

    private Codecs(ShapeIndex index, ClassLoader loader,
            Function<Class<?>, Optional<RecordAccess>> generated) {
        this.index = index;
        this.loader = loader;
        this.generated = generated;
    }

    /**
     * A codec of a shape.
     *
     * @param shape what to read and write
     * @param loader finds the classes it names
     * @param generated access to records that needs no reflection, where there is some
     */
    public static JsonCodec<@Nullable Object> of(Shape shape, ClassLoader loader,
            Function<Class<?>, Optional<RecordAccess>> generated) {
        return nullable(new Codecs(ShapeIndex.of(shape), loader, generated).codec(shape));
    }

    /**
     * A codec of named values that are no record, such as arguments of a method: an {@code Object[]} in field order.
     *
     * @param shape the fields
     * @param loader finds the classes it names
     * @param generated access to records that needs no reflection, where there is some
     */
    public static JsonCodec<@Nullable Object> ofArray(Shape.Structure shape, ClassLoader loader,
            Function<Class<?>, Optional<RecordAccess>> generated) {
        var codecs = new Codecs(ShapeIndex.of(shape), loader, generated);
        RecordCodec codec = new RecordCodec(shape.simpleName(), ArrayAccess.INSTANCE,
                shape.fields().stream().map(Shape.Field::name).toList(), null, null);
        codecs.fields(codec, shape);
        return nullable(codec);
    }

    @SuppressWarnings("unchecked")
    private static JsonCodec<@Nullable Object> nullable(JsonCodec<?> codec) {
        return (JsonCodec<@Nullable Object>) codec;
    }

    @SuppressWarnings("unchecked")
    private JsonCodec<Object> codec(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar -> ConstrainedCodec.of(scalar.type(), scalar.constraints());
            case Shape.Any any -> AnyCodec.INSTANCE;
            case Shape.Nothing nothing -> NothingCodec.INSTANCE;
            case Shape.Choice choice -> choice(choice);
            case Shape.Structure structure -> structure(structure);
            case Shape.Union union -> union(union);
            case Shape.Sequence sequence -> sequence.set()
                    ? new CollectionCodec.SetCodec(codec(sequence.item()), sequence.size())
                    : new CollectionCodec.ListCodec(codec(sequence.item()), sequence.size());
            case Shape.Mapping mapping ->
                new CollectionCodec.MapCodec(codec(mapping.value()), mapping.size());
            case Shape.Maybe maybe -> (JsonCodec<Object>) (JsonCodec<?>) new MaybeCodec(maybe.absence(),
                    codec(maybe.value()));
            case Shape.Reference(String key) -> {
                JsonCodec<Object> built = known.get(key);
                yield built != null ? built : codec(index.resolve(shape));
            }
        };
    }

    private JsonCodec<Object> structure(Shape.Structure structure) {
        JsonCodec<Object> built = known.get(structure.key());
        if (built != null) {
            return built;
        }
        RecordCodec codec = record(structure, null, null);
        known.put(structure.key(), codec);
        fields(codec, structure);
        return codec;
    }

    private JsonCodec<Object> union(Shape.Union union) {
        JsonCodec<Object> built = known.get(union.key());
        if (built != null) {
            return built;
        }
        var codec = new UnionCodec(union.simpleName(), union.tagProperty());
        known.put(union.key(), codec);
        for (Shape.Variant variant : union.variants()) {
            var structure = (Shape.Structure) index.resolve(variant.structure());
            RecordCodec record = record(structure, union.tagProperty(), variant.tag());
            codec.variant(variant.tag(), load(variant.typeName()), record);
            fields(record, structure);
        }
        return codec;
    }

    private RecordCodec record(Shape.Structure structure, @Nullable String tagProperty,
            @Nullable String tag) {
        Class<?> type = load(structure.typeName());
        RecordAccess access = generated.apply(type).orElseGet(() -> ReflectiveAccess.of(type));
        return new RecordCodec(structure.simpleName(), access,
                structure.fields().stream().map(Shape.Field::name).toList(), tagProperty, tag);
    }

    private void fields(RecordCodec codec, Shape.Structure structure) {
        for (int i = 0; i < structure.fields().size(); i++) {
            codec.field(i, codec(structure.fields().get(i).shape()));
        }
    }

    private JsonCodec<Object> choice(Shape.Choice choice) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : Objects.requireNonNull(load(choice.typeName()).getEnumConstants())) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
        return new ChoiceCodec(constants);
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new BelayException("inaccessible_type", name + " is named by a tool but cannot be loaded",
                    e);
        }
    }

    private enum ArrayAccess implements RecordAccess {
        INSTANCE;

        @Override
        public Object create(@Nullable Object[] values) {
            return values;
        }

        @Override
        public @Nullable Object get(Object value, int index) {
            return ((@Nullable Object[]) value)[index];
        }
    }

    private enum AnyCodec implements JsonCodec<Object> {
        INSTANCE;

        @Override
        public Object read(JsonReader in) {
            return in.readJson();
        }

        @Override
        public void write(JsonWriter out, Object value) {
            out.value((Json) value);
        }
    }

    private enum NothingCodec implements JsonCodec<Object> {
        INSTANCE;

        @Override
        public Object read(JsonReader in) {
            throw new JsonMismatchException("nothing was expected here");
        }

        @Override
        public void write(JsonWriter out, Object value) {
            throw new JsonMismatchException("expected no value, found " + value.getClass().getName());
        }
    }

    private record ChoiceCodec(Map<String, Object> constants) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            String name = in.readString();
            Object constant = constants.get(name);
            if (constant == null) {
                throw new JsonMismatchException(
                        "expected one of " + constants.keySet() + ", found \"" + name + "\"");
            }
            return constant;
        }

        @Override
        public void write(JsonWriter out, Object value) {
            out.value(((Enum<?>) value).name());
        }
    }
}
