package dev.belay.tool.declare;

import dev.belay.generated.Codecs;
import dev.belay.generated.Companion;
import dev.belay.generated.JsonCodec;
import dev.belay.generated.RecordAccess;
import dev.belay.json.Json;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.SchemaWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.TypeView;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.tool.ToolContract;
import dev.belay.tool.call.ToolCodec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool's Java types as shapes, from which its schemas and codecs are made.
 *
 * @param input shape of the input
 * @param output shape of the output
 * @param form what the body gets
 * @param loader finds the classes named by the shapes
 * @param companion generated access to records, or null
 */
public record TypedDeclaration(Shape input, Shape output, Form form, ClassLoader loader,
        @Nullable Companion companion) {

    /** What the body gets. */
    enum Form {
        /** An instance of the input type. */
        OBJECT,
        /** An enum constant, which in JSON is an object with the field "type". */
        CONSTANT,
        /** Arguments of a method. */
        ARRAY
    }

    /** The types of a tool that is declared by class literals. */
    public static TypedDeclaration of(Class<?> input, TypeView output) {
        Shape in = ShapeMapper.map(ReflectedType.of(input, ReflectedType.Descriptions.NONE));
        if (!(in instanceof Shape.Structure || in instanceof Shape.Union || in instanceof Shape.Mapping)) {
            throw new UnsupportedTypeException(input.getName() + " cannot be the input of a tool",
                    "arguments are a JSON object: use a record or a sealed interface of records");
        }
        Shape out = ShapeMapper.map(output);
        return new TypedDeclaration(in, out, Form.OBJECT, loader(input), null);
    }

    static ClassLoader loader(Class<?> type) {
        ClassLoader own = type.getClassLoader();
        return own == null ? ClassLoader.getSystemClassLoader() : own;
    }

    /** An enum as the input of one tool: an object with the tag alone. */
    static Shape.Structure constantShape(Class<?> type, Shape.Choice choice) {
        var tag = new Shape.Field("type", type.getName(),
                new Shape.Choice(choice.typeName(), choice.constants(), ""), "");
        return new Shape.Structure(type.getName(), type.getName(), type.getSimpleName(), List.of(tag),
                choice.description());
    }

    public ToolContract contract() {
        Json in = SchemaWriter.write(undescribed(input)).orElseThrow();
        Optional<Json> out = SchemaWriter.write(output);
        return new ToolContract(JsonSchema.trusted(in, FormatMode.ASSERT),
                out.map(schema -> JsonSchema.trusted(schema, FormatMode.ASSERT)).orElse(null));
    }

    /** The tool itself carries the description of its root; sending it twice would only cost tokens. */
    private static Shape undescribed(Shape root) {
        return switch (root) {
            case Shape.Structure structure -> new Shape.Structure(structure.typeName(), structure.key(),
                    structure.simpleName(), structure.fields(), "");
            case Shape.Union union -> new Shape.Union(union.typeName(), union.key(), union.simpleName(),
                    union.tagProperty(), union.variants(), "");
            default -> root;
        };
    }

    public ToolCodec codec() {
        boolean mayReturnNull = output instanceof Shape.Nothing || output instanceof Shape.Maybe
                || output instanceof Shape.Any;
        return new ToolCodec(this::inputCodec, () -> Codecs.of(output, loader, access()), true,
                mayReturnNull);
    }

    private JsonCodec<@Nullable Object> inputCodec() {
        return switch (form) {
            case OBJECT -> Codecs.of(input, loader, access());
            case ARRAY -> Codecs.ofArray((Shape.Structure) input, loader, access());
            case CONSTANT -> new ConstantCodec(Codecs.ofArray((Shape.Structure) input, loader, access()));
        };
    }

    private Function<Class<?>, Optional<RecordAccess>> access() {
        Companion generated = companion;
        return generated == null ? type -> Optional.empty() : generated::access;
    }

    private record ConstantCodec(JsonCodec<@Nullable Object> tag) implements JsonCodec<@Nullable Object> {
        @Override
        public @Nullable Object read(JsonReader in) {
            return ((@Nullable Object[]) Objects.requireNonNull(tag.read(in)))[0];
        }

        @Override
        public void write(JsonWriter out, @Nullable Object value) {
            tag.write(out, new @Nullable Object[]{value});
        }
    }
}
