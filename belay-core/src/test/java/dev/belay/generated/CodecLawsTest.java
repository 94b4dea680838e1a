package dev.belay.generated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonReader;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.SchemaWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract B.1 and B.5, tried on random values: what is written is valid and reads back the same, and JSON decodes if and only
 * if it validates.
 */
class CodecLawsTest {

    private static final int ROUNDS = 400;
    private static final int SPOILT = 6;

    static Stream<String> types() {
        return SampleTypes.all().keySet().stream().sorted();
    }

    private record Subject(Shape shape, JsonSchema schema, JsonCodec<@Nullable Object> codec) {

        static Subject of(String name) {
            Type type = java.util.Objects.requireNonNull(SampleTypes.all().get(name));
            Shape shape = ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
            return new Subject(shape,
                    JsonSchema.of(SchemaWriter.write(shape).orElseThrow(), FormatMode.ASSERT),
                    Codecs.of(shape, CodecLawsTest.class.getClassLoader(), record -> Optional.empty()));
        }

        Json encode(@Nullable Object value) {
            return Json.write(out -> codec.write(out, value));
        }

        @Nullable
        Object decode(String text) {
            var in = new JsonReader(text, JsonLimits.DEFAULT);
            Object value = codec.read(in);
            in.end();
            return value;
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatIsWrittenIsValidAndReadsBackTheSame(String type) {
        var subject = Subject.of(type);
        long seed = 20_260_131;
        var values = new RandomValues(new Random(seed), subject.shape);
        for (int round = 0; round < ROUNDS; round++) {
            Object value = values.value(subject.shape, 4);
            String where = "seed " + seed + ", round " + round + ": " + value;
            Json json = subject.encode(value);
            assertThat(subject.schema.validate(json).message()).as(where).isEmpty();
            assertThat(subject.decode(json.text())).as(where).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void jsonDecodesIfAndOnlyIfItValidates(String type) {
        var subject = Subject.of(type);
        long seed = 4_2026;
        var random = new Random(seed);
        var values = new RandomValues(random, subject.shape);
        var mutations = new JsonMutations(random);
        int valid = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Json whole = subject.encode(values.value(subject.shape, 4));
            for (int i = 0; i < SPOILT; i++) {
                Json json = mutations.spoil(whole);
                Violations violations = subject.schema.validate(json);
                assertThat(problem(subject, json) == null).as(
                        "seed %d, round %d: %s%nvalidation: %s%ndecoding: %s", seed, round, json.text(),
                        violations, problem(subject, json)).isEqualTo(violations.isEmpty());
                valid += violations.isEmpty() ? 1 : 0;
            }
        }
        boolean nearlyAlwaysBroken = type.equals("Nothing") || type.equals("Color");
        assertThat(valid).as("spoilt values that are still valid")
                .isBetween(nearlyAlwaysBroken ? 1 : 20,
                        ROUNDS * SPOILT - 20);
    }

    private static @Nullable String problem(Subject subject, Json json) {
        try {
            subject.decode(json.text());
            return null;
        } catch (JsonException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
