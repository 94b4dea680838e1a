package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Laws that hold for every value, tried on random ones. */
class JsonLawsTest {

    private static final int ROUNDS = 5_000;

    @Test
    void everySpellingIsReadAsTheSameValue() {
        long seed = 4_711;
        var random = new Random(seed);
        var values = new RandomJson(random);
        for (int round = 0; round < ROUNDS; round++) {
            Object value = values.value(4);
            String one = values.spell(value);
            String other = values.spell(value);
            String where = "seed " + seed + ", round " + round + ": " + one;
            Json json = Json.of(one);
            assertThat(json.text()).as(where).isEqualTo(one);
            assertSame(value, json, where);
            assertThat(json.canonical()).as(where).isEqualTo(Json.of(other).canonical());
            assertThat(json).as(where).isEqualTo(Json.of(other)).hasSameHashCodeAs(Json.of(other));
        }
    }

    @Test
    void canonicalFormIsAFixedPointAndAValueOfTheSameMeaning() {
        long seed = 815;
        var random = new Random(seed);
        var values = new RandomJson(random);
        for (int round = 0; round < ROUNDS; round++) {
            Object value = values.value(4);
            String canonical = Json.of(values.spell(value)).canonical();
            String where = "seed " + seed + ", round " + round + ": " + canonical;
            assertSame(value, Json.of(canonical), where);
            assertThat(Json.of(canonical).canonical()).as(where).isEqualTo(canonical);
        }
    }

    /** Each level has its fields out of order; copying all that is inside, level by level, would copy 20 GB. */
    @Test
    void deepNestingCopiesNoPartTwiceForEachLevel() {
        String text = "{\"c\":{},\"b\":".repeat(500) + "\"" + "東".repeat(10_000_000) + "\""
                + ",\"a\":1}".repeat(500);
        Json json = Json.of(text);
        String canonical = assertTimeoutPreemptively(Duration.ofSeconds(2), json::canonical);
        assertThat(canonical).isEqualTo("{\"a\":1,\"b\":".repeat(500) + "\"" + "東".repeat(10_000_000) + "\""
                + ",\"c\":{}}".repeat(500));
    }

    @Test
    void anObjectThatWasReadBeforeIsTheSameWithoutItsTree() {
        var values = new RandomJson(new Random(99));
        for (int round = 0; round < ROUNDS; round++) {
            String text = "{\"a\": " + values.spell(values.value(4)) + "}";
            Json read = Json.ofRead(text);
            assertThat(read.height()).as(text).isEqualTo(Json.of(text).height());
            assertThat(read).as(text).isEqualTo(Json.of(text));
            assertThat(read.fields()).as(text).isEqualTo(Json.of(text).fields());
        }
    }

    @Test
    void manyFieldsAreSortedAsFewAre() {
        for (int fields : List.of(2, 15, 16, 17, 40)) {
            var given = new StringBuilder();
            var sorted = new StringBuilder();
            for (int i = 0; i < fields; i++) {
                given.append(i == 0 ? "" : ",")
                        .append("\"f%02d\":{\"b\":1,\"a\":2}".formatted(fields - 1 - i));
                sorted.append(i == 0 ? "" : ",").append("\"f%02d\":{\"a\":2,\"b\":1}".formatted(i));
            }
            assertThat(Json.of("{" + given + "}").canonical()).isEqualTo("{" + sorted + "}");
        }
    }

    @Test
    void whatIsWrittenIsReadBack() {
        long seed = 1_138;
        var random = new Random(seed);
        var values = new RandomJson(random);
        for (int round = 0; round < ROUNDS; round++) {
            Object value = values.value(4);
            String where = "seed " + seed + ", round " + round;
            Json written = Json.write(out -> write(out, value));
            assertSame(value, written, where);
            assertThat(written).as(where).isEqualTo(Json.of(values.spell(value)));
            Json wrapped = Json.array(List.of(Json.of(values.spell(value)), written));
            assertThat(wrapped.items().get(0)).as(where).isEqualTo(written);
        }
    }

    @Test
    void pullingReadsTheSameValue() {
        long seed = 2_718;
        var random = new Random(seed);
        var values = new RandomJson(random);
        for (int round = 0; round < ROUNDS; round++) {
            Object value = values.value(4);
            String text = values.spell(value);
            String where = "seed " + seed + ", round " + round + ": " + text;
            var in = new JsonReader(text, JsonLimits.DEFAULT);
            Object pulled = pull(in);
            in.end();
            assertThat(pulled).as(where)
                    .usingRecursiveComparison()
                    .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                    .isEqualTo(value);
        }
    }

    private static @Nullable Object pull(JsonReader in) {
        return switch (in.peek()) {
            case NULL -> {
                in.readNull();
                yield null;
            }
            case BOOLEAN -> in.readBoolean();
            case NUMBER -> in.readBigDecimal();
            case STRING -> in.readString();
            case ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                in.beginArray();
                while (in.nextItem()) {
                    items.add(pull(in));
                }
                yield items;
            }
            case OBJECT -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                in.beginObject();
                for (String name = in.nextName(); name != null; name = in.nextName()) {
                    fields.put(name, pull(in));
                }
                yield fields;
            }
        };
    }

    private static void write(JsonWriter out, @Nullable Object value) {
        switch (value) {
            case null -> out.nullValue();
            case Boolean bool -> out.value(bool);
            case BigDecimal number -> out.value(number);
            case String string -> out.value(string);
            case List<?> items -> {
                out.beginArray();
                items.forEach(item -> write(out, item));
                out.endArray();
            }
            case Map<?, ?> fields -> {
                out.beginObject();
                fields.forEach((name, field) -> write(out.name((String) name), field));
                out.endObject();
            }
            default -> throw new IllegalArgumentException(value.toString());
        }
    }

    private static void assertSame(@Nullable Object value, Json json, String where) {
        switch (value) {
            case null -> assertThat(json.isNull()).as(where).isTrue();
            case Boolean bool -> assertThat(json.asBoolean()).as(where).isEqualTo(bool);
            case BigDecimal number -> assertThat(json.asBigDecimal()).as(where).isEqualByComparingTo(number);
            case String string -> assertThat(json.asString()).as(where).isEqualTo(string);
            case List<?> items -> {
                assertThat(json.items()).as(where).hasSize(items.size());
                for (int i = 0; i < items.size(); i++) {
                    assertSame(items.get(i), json.items().get(i), where);
                }
            }
            case Map<?, ?> fields -> {
                assertThat(json.fields()).as(where).hasSize(fields.size());
                fields.forEach(
                        (name, field) -> assertSame(field, json.get((String) name).orElseThrow(), where));
            }
            default -> throw new IllegalArgumentException(value.toString());
        }
    }
}
