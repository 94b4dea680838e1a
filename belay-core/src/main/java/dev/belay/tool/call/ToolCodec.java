package dev.belay.tool.call;

import dev.belay.generated.JsonCodec;
import dev.belay.json.Json;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.tool.ToolContract;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a tool's arguments become the object its body gets, and how what the body returns becomes JSON. Codecs are built when the
 * first call comes, so that a thousand declared tools cost nothing until then. Thread-safe.
 */
public final class ToolCodec {

    /** Bodies get JSON; they may return JSON, text, numbers, booleans or nothing. */
    public static final ToolCodec RAW = new ToolCodec(() -> Raw.CODEC, () -> Raw.CODEC, false, true);

    private final Lazy<JsonCodec<@Nullable Object>> input;
    private final Lazy<JsonCodec<@Nullable Object>> output;
    private final boolean typed;
    private final boolean mayReturnNull;

    public ToolCodec(Supplier<JsonCodec<@Nullable Object>> input,
            Supplier<JsonCodec<@Nullable Object>> output,
            boolean typed, boolean mayReturnNull) {
        this.input = new Lazy<>(input);
        this.output = new Lazy<>(output);
        this.typed = typed;
        this.mayReturnNull = mayReturnNull;
    }

    /** Whether reading and writing check everything that the schemas demand. */
    public boolean checksItself() {
        return typed;
    }

    Object readInput(JsonReader in) {
        Object value = input.get().read(in);
        if (value == null) {
            throw new JsonMismatchException("expected an object, found null");
        }
        return value;
    }

    /** The arguments that an input object stands for. */
    public Json writeInput(Object value) {
        return Json.write(out -> input.get().write(out, value));
    }

    /**
     * The value of a body as JSON that satisfies the output schema; {@link JsonMismatchException} otherwise. JSON is checked, anything
     * else is written by a codec.
     */
    public Json output(@Nullable Object value, Supplier<ToolContract> contract) {
        if (typed && !(value instanceof Json)) {
            return writeOutput(value);
        }
        Json written = RAW.writeOutput(value);
        JsonSchema schema = contract.get().output();
        Violations violations = schema == null ? null : schema.validate(written);
        if (violations != null && !violations.isEmpty()) {
            throw new JsonMismatchException(violations.message());
        }
        return written;
    }

    private Json writeOutput(@Nullable Object value) {
        if (value == null && !mayReturnNull) {
            throw new JsonMismatchException("expected a value, found null");
        }
        return value == null ? Json.NULL : Json.write(out -> output.get().write(out, value));
    }

    private enum Raw implements JsonCodec<@Nullable Object> {
        CODEC;

        @Override
        public Object read(JsonReader in) {
            return in.readJson();
        }

        @Override
        public void write(JsonWriter out, @Nullable Object value) {
            switch (value) {
                case null -> out.nullValue();
                case Json json -> out.value(json);
                case CharSequence text -> out.value(text.toString());
                case Boolean truth -> out.value(truth.booleanValue());
                case Byte number -> out.value(number.longValue());
                case Short number -> out.value(number.longValue());
                case Integer number -> out.value(number.longValue());
                case Long number -> out.value(number.longValue());
                case Float number -> out.value(number.floatValue());
                case Double number -> out.value(number.doubleValue());
                case BigInteger number -> out.value(new BigDecimal(number));
                case BigDecimal number -> out.value(number);
                default ->
                    throw new JsonMismatchException("expected Json, text, a number, a boolean or null, found "
                            + value.getClass().getName());
            }
        }
    }
}
