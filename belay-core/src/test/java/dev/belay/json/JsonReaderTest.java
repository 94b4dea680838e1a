package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    private static JsonReader reader(String text) {
        return new JsonReader(text, JsonLimits.DEFAULT);
    }

    @Test
    void fieldsComeInTextOrder() {
        JsonReader in = reader(" { \"a\" : 1 , \"\\u0062\":[true,null] , \"c\":{} }  ");
        in.beginObject();
        assertThat(in.nextName()).isEqualTo("a");
        assertThat(in.peek()).isEqualTo(Json.Kind.NUMBER);
        assertThat(in.readInt()).isEqualTo(1);
        assertThat(in.nextName()).isEqualTo("b");
        in.beginArray();
        assertThat(in.nextItem()).isTrue();
        assertThat(in.readBoolean()).isTrue();
        assertThat(in.nextItem()).isTrue();
        in.readNull();
        assertThat(in.nextItem()).isFalse();
        assertThat(in.nextName()).isEqualTo("c");
        assertThat(in.readJson()).isEqualTo(Json.EMPTY_OBJECT);
        assertThat(in.nextName()).isNull();
        in.end();
    }

    @Test
    void stringsAreDecoded() {
        assertThat(reader(" \"plain é\" ").readString()).isEqualTo("plain é");
        assertThat(reader("\"\"").readString()).isEmpty();
        assertThat(reader("\"\\u0041\\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83D\\uDe00x\"").readString())
                .isEqualTo("A\"\\/\b\f\n\r\t\uD83D\uDE00x");
    }

    @Test
    void namesAreFoundInAnyOrder() {
        String[] names = {"id", "name", "n", "a\"b", "\\"};
        assertThat(indexes("{\"id\":1,\"name\":2,\"n\":3,\"a\\\"b\":4,\"\\\\\":5}", names)).containsExactly(0,
                1, 2, 3, 4);
        assertThat(indexes("{\"n\":1,\"\\u006eame\":2,\"id\":3,\"na\":4,\"names\":5,\"\":6}", names))
                .containsExactly(2, 1, 0, JsonReader.UNKNOWN, JsonReader.UNKNOWN, JsonReader.UNKNOWN);
        assertThat(indexes("{}", names)).isEmpty();
        assertThat(indexes("{\"x\":1}", new String[0])).containsExactly(JsonReader.UNKNOWN);
        assertThat(indexes("{\"id\":{\"n\":1},\"name\":{},\"id\":0}", names)).containsExactly(0, 1, 0);
    }

    private static List<Integer> indexes(String text, String[] names) {
        JsonReader in = reader(text);
        in.beginObject();
        var found = new ArrayList<Integer>();
        for (int index = in.nextName(names); index != JsonReader.END; index = in.nextName(names)) {
            found.add(index);
            in.readJson();
        }
        in.end();
        return found;
    }

    @Test
    void aNameWithAQuoteDoesNotSwallowGarbage() {
        JsonReader in = reader("{\"a\"b\":1}");
        in.beginObject();
        assertThatExceptionOfType(JsonSyntaxException.class)
                .isThrownBy(() -> in.nextName(new String[]{"a\"b"}));
    }

    @ParameterizedTest
    @CsvSource({"2,2", "2.0,2", "2e0,2", "-0,0", "-0.0,0", "20e-1,2", "0.2e1,2", "2147483647,2147483647",
        "-2147483648,-2147483648", "-2.147483648e9,-2147483648", "0e9999,0", "0.0e-9999,0"})
    void wholeNumbersAreInts(String literal, int value) {
        assertThat(reader(literal).readInt()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5", "1e-1", "2147483648", "-2147483649", "1e10", "1e9999", "1e-9999", "-0.1",
        "99999999999999999999"})
    void otherNumbersAreNoInts(String literal) {
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> reader(literal).readInt())
                .withMessage("expected a whole number from -2147483648 to 2147483647, found " + literal);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 999999999999999999L, 1000000000000000000L, Long.MAX_VALUE,
        Long.MIN_VALUE})
    void everyLongIsRead(long value) {
        assertThat(reader(Long.toString(value)).readLong()).isEqualTo(value);
        assertThat(reader(value + ".00").readLong()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "-9223372036854775809", "9999999999999999999", "1e19",
        "0.5",
        "9223372036854775807.1"})
    void otherNumbersAreNoLongs(String literal) {
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> reader(literal).readLong())
                .withMessageEndingWith("found " + literal);
    }

    @Test
    void doublesAreTheNearest() {
        assertThat(reader("0.1").readDouble()).isEqualTo(0.1);
        assertThat(reader("-0").readDouble()).isEqualTo(-0.0);
        assertThat(reader("1.7976931348623157e308").readDouble()).isEqualTo(Double.MAX_VALUE);
        assertThat(reader("4.9e-324").readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> reader("-1e309").readDouble())
                .withMessage("expected a number that a double can hold, found -1e309");
    }

    @Test
    void longLiteralsAreCutInMessages() {
        assertThatExceptionOfType(JsonMismatchException.class)
                .isThrownBy(() -> reader("1".repeat(500)).readInt())
                .withMessageEndingWith("found " + "1".repeat(60) + "…");
    }

    @Test
    void wrongKindsSayWhatWasFound() {
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> reader(" 5").readString())
                .withMessage("expected a string, found a number: 5");
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> reader("[1]").beginObject())
                .withMessage("expected an object, found an array");
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> reader("false").readNull())
                .withMessage("expected null, found a boolean: false");
        assertThatExceptionOfType(JsonSyntaxException.class).isThrownBy(() -> reader("05").readString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?", "tru", "nope", "falsey", "'a'", "]"})
    void peekingAtGarbageThrows(String garbage) {
        assertThatExceptionOfType(JsonSyntaxException.class).isThrownBy(() -> reader(garbage).peek());
    }

    @Test
    void endDemandsTheEnd() {
        JsonReader in = reader("1 x");
        in.readInt();
        assertThatExceptionOfType(JsonSyntaxException.class).isThrownBy(in::end)
                .satisfies(refused -> assertThat(refused.column()).isEqualTo(3));
    }

    @Test
    void misuseIsNoticed() {
        assertThatIllegalStateException().isThrownBy(() -> reader("{}").nextName())
                .withMessage("nextName() outside an object");
        assertThatIllegalStateException().isThrownBy(() -> reader("[]").nextItem())
                .withMessage("nextItem() outside an array");
        assertThatIllegalStateException().isThrownBy(() -> reader("1").end());
        JsonReader object = reader("{\"a\":1,\"b\":2}");
        object.beginObject();
        assertThatIllegalStateException().isThrownBy(object::readInt)
                .withMessage("a value can be read in an object only after nextName()");
        object.nextName();
        assertThatIllegalStateException().isThrownBy(object::nextName)
                .withMessage("nextName() before the value of the last name was read");
        object.readInt();
        assertThatIllegalStateException().isThrownBy(object::peek);
        assertThatIllegalStateException().isThrownBy(object::nextItem);
        assertThatIllegalStateException().isThrownBy(object::end)
                .withMessage("end() before the value was read to its end");
        JsonReader array = reader("[1,2]");
        array.beginArray();
        assertThatIllegalStateException().isThrownBy(array::readInt)
                .withMessage("a value can be read in an array only after nextItem()");
        array.nextItem();
        assertThatIllegalStateException().isThrownBy(array::nextItem)
                .withMessage("nextItem() before the last item was read");
        JsonReader twice = reader("1");
        twice.readInt();
        assertThatIllegalStateException().isThrownBy(twice::readInt)
                .withMessage("a value can be read only once, then end() follows");
    }

    @Test
    void duplicatesAreTheCallersInNextNameAndRefusedInReadJson() {
        JsonReader in = reader("{\"a\":1,\"a\":{\"b\":1,\"b\":2}}");
        in.beginObject();
        in.nextName();
        in.readInt();
        assertThat(in.nextName()).isEqualTo("a");
        assertThatExceptionOfType(JsonSyntaxException.class).isThrownBy(in::readJson)
                .withMessageContaining("a second \"b\"");
    }

    @Test
    void aFieldCanBeLookedAtWithoutMoving() {
        var in = new JsonReader(
                "[{\"a\":{\"type\":\"inner\"},\"b\":[1,{}],\"t\\u0079pe\":\"x\\n\",\"type\":2}]",
                JsonLimits.DEFAULT);
        in.beginArray();
        in.nextItem();
        assertThat(in.peekField("type")).isEqualTo("x\n");
        assertThat(in.peekField("b")).isNull();
        assertThat(in.peekField("c")).isNull();
        in.beginObject();
        assertThat(in.nextName()).isEqualTo("a");
        assertThat(in.peekField("type")).isEqualTo("inner");
        assertThat(in.readJson().text()).isEqualTo("{\"type\":\"inner\"}");
        assertThat(in.nextName()).isEqualTo("b");
        assertThat(in.peekField("type")).isNull();
    }

    @Test
    void lookingAtAFieldRefusesWhatIsNotJson() {
        assertThatExceptionOfType(JsonSyntaxException.class)
                .isThrownBy(() -> new JsonReader("{\"a\":[1,}", JsonLimits.DEFAULT).peekField("type"));
        String deep = "{\"a\":" + "[".repeat(200) + "]".repeat(200) + "}";
        assertThatExceptionOfType(JsonSyntaxException.class)
                .isThrownBy(() -> new JsonReader(deep, JsonLimits.ARGUMENTS).peekField("type"));
    }
}
