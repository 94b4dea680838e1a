package dev.belay.generated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.TypeRef;
import dev.belay.schema.shape.Constraints;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.ScalarType;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract B.1 and B.6: codecs check what their shape demands, when they read and when they write. Laws over random values are
 * in {@link CodecLawsTest}.
 */
class CodecsTest {

    record Point(int x, @Nullable Integer y) {}

    record Line(Point from, Point to) {}

    record Positive(int value) {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("must be positive");
            }
        }
    }

    record Asserted(int value) {
        Asserted {
            if (value <= 0) {
                throw new AssertionError("never below one");
            }
        }
    }

    record Angry(int value) {
        @Override
        public int value() {
            throw new IllegalStateException("no");
        }
    }

    private record Hidden(String text) {}

    record Options(Optional<String> text, OptionalInt number) {}

    sealed interface Figure {}

    record Circle(int radius) implements Figure {}

    record Square(int side) implements Figure {}

    record Sized(@Size(max = 1) List<String> items, @Size(min = 1) Map<String, String> entries,
            @Range(max = 3) double number) {}

    private static JsonCodec<@Nullable Object> codec(Type type) {
        Shape shape = ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
        return Codecs.of(shape, CodecsTest.class.getClassLoader(), record -> Optional.empty());
    }

    private static Json write(Type type, @Nullable Object value) {
        return Json.write(out -> codec(type).write(out, value));
    }

    private static @Nullable Object read(Type type, String json) {
        var in = new JsonReader(json, JsonLimits.DEFAULT);
        Object value = codec(type).read(in);
        in.end();
        return value;
    }

    @Test
    void fieldsAreWrittenInOrderAndAbsentOnesLeftOut() {
        assertThat(write(Line.class, new Line(new Point(1, 2), new Point(3, null))).text())
                .isEqualTo("{\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3}}");
    }

    @Test
    void fieldsAreReadInAnyOrder() {
        assertThat(read(Line.class, "{\"to\":{\"y\":null,\"x\":3},\"from\":{\"y\":2,\"x\":1}}"))
                .isEqualTo(new Line(new Point(1, 2), new Point(3, null)));
    }

    @Test
    void absentAndNullAreBothAbsent() {
        assertThat(read(Options.class, "{}")).isEqualTo(new Options(Optional.empty(), OptionalInt.empty()));
        assertThat(read(Options.class, "{\"text\":null,\"number\":null}"))
                .isEqualTo(new Options(Optional.empty(), OptionalInt.empty()));
    }

    @Test
    void theTagMayStandAnywhere() {
        assertThat(read(Figure.class, "{\"radius\":3,\"type\":\"circle\"}")).isEqualTo(new Circle(3));
        assertThat(write(Figure.class, new Square(2)).text()).isEqualTo("{\"type\":\"square\",\"side\":2}");
    }

    @Test
    void aTagThatStandsTwiceIsRefused() {
        assertThatThrownBy(() -> read(Figure.class, "{\"type\":\"circle\",\"radius\":3,\"type\":\"circle\"}"))
                .isInstanceOf(JsonMismatchException.class)
                .hasMessage("field \"type\" stands twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"radius\":3}", "{\"type\":\"Circle\",\"radius\":3}",
        "{\"type\":1,\"radius\":3}",
        "{\"type\":\"square\",\"radius\":3}", "{\"type\":null}", "[]", "null", "\"circle\""})
    void aVariantNeedsItsTag(String json) {
        assertThatThrownBy(() -> read(Figure.class, json)).isInstanceOf(JsonMismatchException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":1,\"x\":1}", "{\"x\":1,\"\\u0078\":1}", "{\"x\":1,\"y\":null,\"y\":2}"})
    void aFieldThatStandsTwiceIsRefused(String json) {
        assertThatThrownBy(() -> read(Point.class, json)).isInstanceOf(JsonMismatchException.class)
                .hasMessageContaining("stands twice");
    }

    @Test
    void aKeyThatStandsTwiceIsRefused() {
        assertThatThrownBy(
                () -> read(new TypeRef<Map<String, Integer>>() {}.type(), "{\"a\":1,\"b\":2,\"a\":1}"))
                .isInstanceOf(JsonMismatchException.class)
                .hasMessage("key \"a\" stands twice");
    }

    @Test
    void aConstructorThatRefusesIsAMismatch() {
        assertThat(read(Positive.class, "{\"value\":1}")).isEqualTo(new Positive(1));
        assertThatThrownBy(() -> read(Positive.class, "{\"value\":0}"))
                .isInstanceOf(JsonMismatchException.class)
                .hasMessage("Positive refuses these values: must be positive");
        assertThatThrownBy(() -> read(Asserted.class, "{\"value\":0}"))
                .isInstanceOf(JsonMismatchException.class)
                .hasMessage("Asserted refuses these values: never below one");
    }

    @Test
    void whatIsReadCannotBeChanged() {
        assertThat((List<?>) read(new TypeRef<List<String>>() {}.type(), "[\"a\"]")).isUnmodifiable();
        assertThat((Set<?>) read(new TypeRef<Set<String>>() {}.type(), "[\"b\",\"a\"]")).isUnmodifiable()
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.ITERABLE)
                .containsExactly("b", "a");
        assertThat((Map<?, ?>) read(new TypeRef<Map<String, Integer>>() {}.type(), "{\"b\":1,\"a\":2}"))
                .isUnmodifiable()
                .hasToString("{b=1, a=2}");
    }

    record Counted(@Size(min = 1, max = 2) List<Integer> list, @Size(min = 1, max = 2) Set<Integer> set,
            @Size(min = 1, max = 2) Map<String, Integer> map) {}

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"[] | [1] | {'a':1}", "[1] | [] | {'a':1}",
        "[1] | [1] | {}", "[1,1,1] | [1] | {'a':1}", "[1] | [1,2,3] | {'a':1}",
        "[1] | [1] | {'a':1,'b':1,'c':1}", "[1] | [1,1.0] | {'a':1}"})
    void tooFewTooManyAndEqualItemsAreNotRead(String list, String set, String map) {
        String json = "{\"list\":" + list + ",\"set\":" + set + ",\"map\":" + map.replace('\'', '"') + "}";
        assertThatThrownBy(() -> read(Counted.class, json)).isInstanceOf(JsonMismatchException.class);
        assertThat(read(Counted.class, "{\"list\":[1,1],\"set\":[1,2],\"map\":{\"a\":1,\"b\":1}}"))
                .isEqualTo(new Counted(List.of(1, 1), Set.of(1, 2), Map.of("a", 1, "b", 1)));
    }

    static Stream<Arguments> brokenValues() {
        var nullItem = new ArrayList<@Nullable String>(Arrays.asList("a", null));
        var nullKey = new HashMap<@Nullable String, Integer>();
        nullKey.put(null, 1);
        var nullValue = new HashMap<String, @Nullable Integer>();
        nullValue.put("a", null);
        Type strings = new TypeRef<List<String>>() {}.type();
        Type counts = new TypeRef<Map<String, Integer>>() {}.type();
        Type numbers = new TypeRef<Set<BigDecimal>>() {}.type();
        return Stream.of(
                broken("null field", Line.class, new Line(new Point(1, 2), nothing()),
                        "Line.to is null but not marked @Nullable"),
                broken("null item", strings, nullItem, "an item is null but not marked @Nullable"),
                broken("null value", counts, nullValue, "an item is null but not marked @Nullable"),
                broken("null key", counts, nullKey, "a key is null"),
                broken("not finite", double.class, Double.POSITIVE_INFINITY,
                        "expected a finite number, found Infinity"),
                broken("over the range", Sized.class, new Sized(List.of(), Map.of("a", "b"), 3.5),
                        "Sized.number: 3.5 is out of range"),
                broken("not finite and bounded", Sized.class,
                        new Sized(List.of(), Map.of("a", "b"), Double.NaN),
                        "Sized.number: expected a finite number, found NaN"),
                broken("too many", Sized.class, new Sized(List.of("a", "b"), Map.of("a", "b"), 1),
                        "Sized.items: the number of items is out of bounds"),
                broken("too few", Sized.class, new Sized(List.of(), Map.of(), 1),
                        "Sized.entries: the number of items is out of bounds"),
                broken("equal as JSON", numbers,
                        new LinkedHashSet<>(List.of(new BigDecimal("1.0"), new BigDecimal("1.00"))),
                        "an item stands twice"),
                broken("beyond every calendar", Instant.class, Instant.MAX,
                        "expected a date and time with offset, such as 2026-01-31T09:30:00Z, found "
                                + "\"+1000000000-12-31T23:59:59.999999999Z\""),
                broken("another variant", Figure.class, "circle", "java.lang.String is no variant of Figure"),
                broken("lone surrogate", String.class, "\ud800",
                        "expected a string of whole characters, found the lone surrogate U+D800 at index 0 of: "
                                + "\\ud800"),
                broken("too deep", new TypeRef<Json>() {}.type(), deep(), null));
    }

    private static Arguments broken(String name, Type type, Object value, @Nullable String message) {
        return Arguments.of(Named.of(name, type), value, message);
    }

    /** What a careless tool puts where null is not allowed. */
    @SuppressWarnings("NullAway")
    private static Point nothing() {
        return null;
    }

    private static Json deep() {
        return Json.of("[".repeat(512) + "]".repeat(512));
    }

    @ParameterizedTest
    @MethodSource("brokenValues")
    void aValueThatBreaksItsShapeIsNotWritten(Type type, Object value, @Nullable String message) {
        if (message == null) {
            assertThatThrownBy(() -> write(new TypeRef<List<Json>>() {}.type(), List.of(value)))
                    .isInstanceOf(JsonMismatchException.class)
                    .hasMessage("expected at most 512 nested objects and arrays, found 513");
        } else {
            assertThatThrownBy(() -> write(type, value)).isInstanceOf(JsonMismatchException.class)
                    .hasMessage(message);
        }
    }

    @Test
    void aWrongClassIsNotWritten() {
        assertThatThrownBy(() -> write(String.class, 7)).isInstanceOf(ClassCastException.class);
        assertThatThrownBy(() -> write(Point.class, "point")).isInstanceOf(ClassCastException.class);
    }

    @Test
    void anAccessorThatThrowsThrows() {
        assertThatThrownBy(() -> write(Angry.class, new Angry(1))).isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
    }

    @Test
    void aPrivateRecordIsReached() {
        assertThat(read(Hidden.class, "{\"text\":\"x\"}")).isEqualTo(new Hidden("x"));
        assertThat(write(Hidden.class, new Hidden("x")).text()).isEqualTo("{\"text\":\"x\"}");
    }

    @Test
    void generatedAccessIsUsedWhereThereIsSome() {
        var made = new AtomicInteger();
        RecordAccess access = new RecordAccess() {
            @Override
            public Object create(@Nullable Object[] values) {
                made.incrementAndGet();
                return new Point((int) Objects.requireNonNull(values[0]), (Integer) values[1]);
            }

            @Override
            public @Nullable Object get(Object value, int index) {
                return index == 0 ? (Object) (100 + ((Point) value).x()) : ((Point) value).y();
            }
        };
        Shape shape = ShapeMapper.map(ReflectedType.of(Line.class, ReflectedType.Descriptions.NONE));
        var codec = Codecs.of(shape, CodecsTest.class.getClassLoader(),
                type -> type == Point.class ? Optional.of(access) : Optional.empty());
        Object line = codec.read(new JsonReader("{\"from\":{\"x\":1},\"to\":{\"x\":2}}", JsonLimits.DEFAULT));
        assertThat(made).hasValue(2);
        assertThat(Json.write(out -> codec.write(out, line)).text())
                .isEqualTo("{\"from\":{\"x\":101},\"to\":{\"x\":102}}");
    }

    @Test
    void namedValuesAreAnArray() {
        var text = new Shape.Scalar(ScalarType.STRING, Constraints.NONE);
        var shape = new Shape.Structure("p.M#m", "p.M#m", "m", List.of(
                new Shape.Field("a", "java.lang.String", text, ""),
                new Shape.Field("b", "java.lang.String", new Shape.Maybe(Shape.Absence.NULL, text), "")), "");
        var codec = Codecs.ofArray(shape, CodecsTest.class.getClassLoader(), type -> Optional.empty());
        assertThat((@Nullable Object[]) codec.read(new JsonReader("{\"a\":\"x\"}", JsonLimits.DEFAULT)))
                .containsExactly("x", null);
        assertThat(Json.write(out -> codec.write(out, new @Nullable Object[]{"x", "y"})).text())
                .isEqualTo("{\"a\":\"x\",\"b\":\"y\"}");
        assertThatThrownBy(() -> codec.read(new JsonReader("{\"b\":\"x\"}", JsonLimits.DEFAULT)))
                .hasMessage("required field \"a\" is missing");
    }

    @Test
    void aClassThatCannotBeLoadedIsNamed() {
        var shape = new Shape.Structure("p.Gone", "p.Gone", "Gone", List.of(), "");
        assertThatThrownBy(
                () -> Codecs.of(shape, CodecsTest.class.getClassLoader(), type -> Optional.empty()))
                .hasMessage("p.Gone is named by a tool but cannot be loaded");
    }

    @Test
    void equalMomentsOfASetCollapseOnReading() {
        assertThat(read(new TypeRef<Set<Instant>>() {}.type(),
                "[\"2026-01-31T09:30:00Z\",\"2026-01-31T10:30:00+01:00\"]"))
                .isEqualTo(Collections.singleton(Instant.parse("2026-01-31T09:30:00Z")));
    }
}
