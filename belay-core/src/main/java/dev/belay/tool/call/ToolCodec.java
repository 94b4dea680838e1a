package dev.belay.tool.call;

import dev.belay.generated.JsonCodec;
import dev.belay.json.Json;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
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
    public static final ToolCodec RAW = new ToolCodec(() -> RawInput.INSTANCE, () -> RawOutput.INSTANCE,
            false,
            true);

    private final Supplier<JsonCodec<@Nullable Object>> inputSource;
    private final Supplier<JsonCodec<@Nullable Object>> outputSource;
    private final boolean typed;
    private final boolean mayReturnNull;
    private volatile @Nullable JsonCodec<@Nullable Object> input;
    private volatile @Nullable JsonCodec<@Nullable Object> output;

    public ToolCodec(Supplier<JsonCodec<@Nullable Object>> input,
            Supplier<JsonCodec<@Nullable Object>> output,
            boolean typed, boolean mayReturnNull) {
        this.inputSource = input;
        this.outputSource = output;
        this.typed = typed;
        this.mayReturnNull = mayReturnNull;
    }

    /** Whether reading and writing check everything that the schemas demand. */
    public boolean checksItself() {
        return typed;
    }

    Object readInput(JsonReader in) {
        Object value = input().read(in);
        if (value == null) {
            throw new JsonMismatchException("expected an object, found null");
        }
        return value;
    }

    /** The arguments that an input object stands for. */
    public Json writeInput(Object value) {
        return Json.write(out -> input().write(out, value));
    }

    public Json writeOutput(@Nullable Object value) {
        if (value == null && !mayReturnNull) {
            throw new JsonMismatchException("expected a value, found null");
        }
        return value == null ? Json.NULL : Json.write(out -> output().write(out, value));
    }

    private JsonCodec<@Nullable Object> input() {
        JsonCodec<@Nullable Object> codec = input;
        if (codec == null) {
            codec = inputSource.get();
            input = codec;
        }
        return codec;
    }

    private JsonCodec<@Nullable Object> output() {
        JsonCodec<@Nullable Object> codec = output;
        if (codec == null) {
            codec = outputSource.get();
            output = codec;
        }
        return codec;
    }

    private enum RawInput implements JsonCodec<@Nullable Object> {
        INSTANCE;

        @Override
        public Object read(JsonReader in) {
            return in.readJson();
        }

        @Override
        public void write(JsonWriter out, @Nullable Object value) {
            RawOutput.INSTANCE.write(out, value);
        }
    }

    private enum RawOutput implements JsonCodec<@Nullable Object> {
        INSTANCE;

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
