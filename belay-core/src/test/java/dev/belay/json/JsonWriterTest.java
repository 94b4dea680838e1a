package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWriterTest {

    @Test
    void outputIsCompact() {
        String text = new JsonWriter().beginObject()
                .name("a")
                .value(1)
                .name("b\n")
                .beginArray()
                .value("x")
                .value(true)
                .nullValue()
                .value(new BigDecimal("1.50"))
                .beginObject()
                .endObject()
                .beginArray()
                .endArray()
                .endArray()
                .name("c")
                .value(Json.of(" { \"z\" : 1 }\n"))
                .endObject()
                .text();
        assertThat(text).isEqualTo("{\"a\":1,\"b\\n\":[\"x\",true,null,1.50,{},[]],\"c\":{ \"z\" : 1 }}");
    }

    @ParameterizedTest
    @CsvSource({"5.0,5", "-5.0,-5", "0.0,0", "-0.0,-0", "0.1,0.1", "1e20,100000000000000000000", "1e21,1e+21",
        "1e-7,0.0000001",
        "1e-8,1e-8", "1.7976931348623157e308,1.7976931348623157e+308", "4.9e-324,4.9e-324",
        "123456.789,123456.789",
        "2e-323,2e-323"})
    void doublesAreShortest(double value, String text) {
        assertThat(new JsonWriter().value(value).text()).isEqualTo(text);
    }

    @Test
    void everyDoubleAndFloatReadsBack() {
        long seed = 20_261_115;
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                String text = new JsonWriter().value(value).text();
                assertThat(Double.parseDouble(text)).as("seed %d, round %d", seed, i).isEqualTo(value);
                assertThat(Json.of(text).asDouble()).as("seed %d, round %d", seed, i).isEqualTo(value);
            }
            float single = Float.intBitsToFloat(random.nextInt());
            if (Float.isFinite(single)) {
                assertThat(Float.parseFloat(new JsonWriter().value(single).text()))
                        .as("seed %d, round %d", seed, i)
                        .isEqualTo(single);
            }
        }
        assertThat(new JsonWriter().value(0.1f).text()).isEqualTo("0.1");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void numbersThatAreNotFiniteAreRefused(double value) {
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> Json.number(value))
                .withMessage("expected a finite number, found " + value);
        assertThatExceptionOfType(JsonMismatchException.class)
                .isThrownBy(() -> new JsonWriter().value((float) value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD800", "a\uDC00b", "\uD83D", "\uDE00\uD83D"})
    void loneSurrogatesAreRefused(String value) {
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> Json.string(value))
                .withMessageContaining("lone surrogate U+D");
        var writer = new JsonWriter();
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> writer.value(value));
        assertThatIllegalStateException().isThrownBy(writer::text)
                .withMessage("the text is not finished: a string was refused");
    }

    @ParameterizedTest
    @CsvSource({"?,?", "'\\',\\\\", "'\u0001',\\u0001", "\uFFFD,\uFFFD"})
    void loneSurrogatesAreReplacedByWhatTheCallerSays(char half, String written) {
        assertThat(new JsonWriter().value("\uD83Da\uDE00\n\uD83D\uDE00\uD83D", half).text())
                .isEqualTo("\"" + written + "a" + written + "\\n\uD83D\uDE00" + written + "\"");
        assertThat(new JsonWriter().value("\uD83D\uDE00 \"", half).text()).isEqualTo("\"\uD83D\uDE00 \\\"\"");
    }

    @Test
    void aLoneSurrogateIsNotReplacedByAnother() {
        assertThatIllegalArgumentException().isThrownBy(() -> new JsonWriter().value("a", '\uD83D'))
                .withMessageContaining("whole character only, not by U+D83D");
    }

    @Test
    void aRefusedNumberLeavesNoHole() {
        JsonWriter out = new JsonWriter().beginObject().name("a");
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> out.value(Double.NaN));
        assertThatIllegalStateException().isThrownBy(out::endObject);
        assertThat(out.value(1).endObject().text()).isEqualTo("{\"a\":1}");
    }

    @Test
    void numbersThatCouldNotBeReadAgainAreRefused() {
        assertThat(Json.number(new BigDecimal("1e9999")).asBigDecimal()).isEqualByComparingTo("1e9999");
        assertThatExceptionOfType(JsonMismatchException.class)
                .isThrownBy(() -> Json.number(new BigDecimal("1e10000")));
        assertThatExceptionOfType(JsonMismatchException.class)
                .isThrownBy(() -> Json.number(new BigDecimal(BigInteger.TEN.pow(1001))));
        assertThatExceptionOfType(JsonMismatchException.class)
                .isThrownBy(() -> Json.number(new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE)));
    }

    @Test
    void nestingIsBounded() {
        Json nested = Json.array(List.of());
        for (int i = 1; i < 512; i++) {
            nested = Json.array(List.of(nested));
        }
        Json deepest = nested;
        assertThat(Json.of(deepest.text())).isEqualTo(deepest);
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> Json.array(List.of(deepest)))
                .withMessage("expected at most 512 nested objects and arrays, found 513");
        var writer = new JsonWriter();
        for (int i = 0; i < 512; i++) {
            writer.beginArray();
        }
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(writer::beginObject);
    }

    @Test
    void misuseIsNoticed() {
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().text())
                .withMessage("the text is not finished: nothing was written");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().beginArray().text())
                .withMessage("the text is not finished: an array is open");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().value(1).value(2))
                .withMessage("a second value at the top: the text already holds one");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().name("a"))
                .withMessage("name(\"a\") outside an object");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().beginArray().name("a"));
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().beginObject().value("a"))
                .withMessage("a value in an object without a name before it");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().beginObject().name("a").name("b"))
                .withMessage("name(\"b\") after a name without a value");
        assertThatIllegalStateException()
                .isThrownBy(() -> new JsonWriter().beginObject().name("a").endObject())
                .withMessage("endObject() after a name without a value");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().beginObject().endArray())
                .withMessage("endArray() where no array is open");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().beginArray().endObject())
                .withMessage("endObject() where no object is open");
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().endObject());
        assertThatIllegalStateException().isThrownBy(() -> Json.write(out -> {}));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 12, 13, 40})
    void siblingsMayHaveTheSameNamesAndDoNotKnowEachOther(int fields) {
        JsonWriter out = new JsonWriter().beginArray();
        for (int sibling = 0; sibling < 3; sibling++) {
            out.beginArray().value(sibling).endArray().beginObject();
            for (int i = 0; i < fields + sibling; i++) {
                out.name("f" + i).value(i);
            }
            assertThatIllegalStateException().isThrownBy(() -> out.name("f0"));
            out.endObject();
        }
        assertThat(Json.of(out.endArray().text()).items()).hasSize(6)
                .element(5)
                .satisfies(last -> assertThat(last.fields()).hasSize(fields + 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 11, 12, 13, 40})
    void aSecondFieldOfTheSameNameIsRefused(int fields) {
        for (int again = 0; again < fields; again++) {
            JsonWriter out = new JsonWriter().beginObject();
            for (int i = 0; i < fields; i++) {
                out.name("f" + i).value(i);
            }
            String name = "f" + again;
            assertThatIllegalStateException().isThrownBy(() -> out.name(name))
                    .withMessage("the object already has a field \"" + name + "\"");
            assertThat(Json.of(out.endObject().text()).fields()).hasSize(fields);
        }
    }
}
