package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void textIsKeptExactly() {
        String text = " { \"b\" : [ 1.50 , \"\\u0041\" ] ,\r\n\t\"a\":-0 }\n";
        Json json = Json.of(text);
        assertThat(json.text()).isEqualTo(text);
        assertThat(json.toString()).isEqualTo(text);
        assertThat(json.at("/b").orElseThrow().text()).isEqualTo("[ 1.50 , \"\\u0041\" ]");
        assertThat(json.at("/b/0").orElseThrow().text()).isEqualTo("1.50");
        assertThat(json.at("/b/1").orElseThrow().text()).isEqualTo("\"\\u0041\"");
        assertThat(json.fields().keySet()).containsExactly("b", "a");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {"{ }|{}", "[ ]|[]", " null |null",
        " true|true", "false|false",
        "{\"b\":1,\"a\":{\"d\":[ 1 , 2 ],\"c\":2}}|{\"a\":{\"c\":2,\"d\":[1,2]},\"b\":1}",
        "{\"é\":1,\"z\":2,\"Z\":3,\"\":4}|{\"\":4,\"Z\":3,\"z\":2,\"é\":1}",
        "{\"\uFF5E\":1,\"\uD83D\uDE00\":2}|{\"\uD83D\uDE00\":2,\"\uFF5E\":1}",
        "\"\\u0041\\/\\u00e9\\u2028\\ud83d\\uDE00\"|\"A/é\u2028\uD83D\uDE00\"",
        "\"\\u0022\\u005C\\u0008\\u000C\\u000A\\u000D\\u0009\\u001F\\u0000\\u007f\"|\"\\\"\\\\\\b\\f\\n\\r\\t\\u001f\\u0000\u007f\""})
    void canonicalFormIsGolden(String text, String canonical) {
        assertThat(Json.of(text).canonical()).isEqualTo(canonical);
        assertThat(Json.of(canonical).canonical()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "-0,0", "-0.0,0", "0e5,0", "0.000,0", "1.0,1", "1.50,1.5", "10,10", "100e-2,1",
        "1E2,100", "1e+2,100",
        "-1.5e3,-1500", "0.1,0.1", "1e20,100000000000000000000",
        "123456789012345678901,123456789012345678901",
        "1e21,1e+21", "1234567890123456789012,1.234567890123456789012e+21", "1e-7,0.0000001", "1e-8,1e-8",
        "0.0000000123,1.23e-8", "-12.5e-9,-1.25e-8", "12345678901234567.89,12345678901234567.89",
        "1e9999,1e+9999",
        "-1.0e-9999,-1e-9999", "0.1e1,1", "1200e30,1.2e+33", "9007199254740993,9007199254740993"})
    void numbersHaveOneForm(String literal, String canonical) {
        assertThat(Json.of(literal).canonical()).isEqualTo(canonical);
        assertThat(Json.of(canonical).canonical()).isEqualTo(canonical);
        assertThat(Json.of(" " + literal + " ").canonical()).isEqualTo(canonical);
    }

    @Test
    void allDigitsAreKept() {
        String digits = "123456789".repeat(44) + "1234";
        assertThat(Json.of(digits).asBigDecimal()).isEqualTo(new BigDecimal(digits));
        assertThat(Json.of(digits).canonical()).isEqualTo("1." + digits.substring(1) + "e+399");
        assertThat(Json.of("0." + digits).canonical()).isEqualTo("0." + digits);
        assertThat(Json.number(new BigDecimal("12345678901234567.89")).text())
                .isEqualTo("12345678901234567.89");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "{\"a\":1,\"b\":2}| { \"b\":2.0, \"a\":10e-1 }", "\"\\u0041\"|\"A\"",
        "[1e2]|[100]", "-0|0"})
    void equalityIgnoresSpelling(String one, String other) {
        assertThat(Json.of(one)).isEqualTo(Json.of(other)).hasSameHashCodeAs(Json.of(other));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {"1|\"1\"", "[1,2]|[2,1]", "null|\"null\"",
        "{}|[]",
        "9007199254740993|9007199254740992", "0.1|0.10000000000000001"})
    void equalitySeesEveryDifference(String one, String other) {
        assertThat(Json.of(one)).isNotEqualTo(Json.of(other));
    }

    @Test
    void kindsAreKnown() {
        assertThat(List.of("{}", "[]", "\"\"", "-1", "true", "null")).map(text -> Json.of(" " + text).kind())
                .containsExactly(Json.Kind.OBJECT, Json.Kind.ARRAY, Json.Kind.STRING, Json.Kind.NUMBER,
                        Json.Kind.BOOLEAN,
                        Json.Kind.NULL);
        assertThat(Json.NULL.isNull()).isTrue();
        assertThat(Json.TRUE.isNull()).isFalse();
    }

    @Test
    void factoriesWriteWhatTheySay() {
        assertThat(Json.string("a\"\n\u0001é").text()).isEqualTo("\"a\\\"\\n\\u0001é\"");
        assertThat(Json.string("a\"\n").asString()).isEqualTo("a\"\n");
        assertThat(Json.number(Long.MIN_VALUE).text()).isEqualTo("-9223372036854775808");
        assertThat(Json.number(5.0).text()).isEqualTo("5");
        assertThat(Json.bool(true)).isSameAs(Json.TRUE);
        assertThat(Json.bool(false).asBoolean()).isFalse();
        assertThat(Json.array(List.of(Json.NULL, Json.of(" [ 1 ] "))).text()).isEqualTo("[null,[ 1 ]]");
        var fields = new LinkedHashMap<String, Json>();
        fields.put("z", Json.number(1));
        fields.put("a", Json.EMPTY_OBJECT);
        assertThat(Json.object(fields).text()).isEqualTo("{\"z\":1,\"a\":{}}");
        assertThat(Json.object(fields).get("z").orElseThrow().asInt()).isEqualTo(1);
        assertThat(Json.EMPTY_OBJECT.fields()).isEmpty();
    }

    @Test
    void valuesAreRead() {
        assertThat(Json.of(" \"\\ud83d\\ude00\\/\" ").asString()).isEqualTo("\uD83D\uDE00/");
        assertThat(Json.of(" 2.0 ").asInt()).isEqualTo(2);
        assertThat(Json.of("9223372036854775807").asLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(Json.of("0.1").asDouble()).isEqualTo(0.1);
        assertThat(Json.of("1e-9999").asDouble()).isZero();
        assertThat(Json.of("1.50").asBigDecimal()).isEqualTo(new BigDecimal("1.50"));
        int total = Json.of("[1, 2]").as(in -> {
            in.beginArray();
            int sum = 0;
            while (in.nextItem()) {
                sum += in.readInt();
            }
            return sum;
        });
        assertThat(total).isEqualTo(3);
    }

    @Test
    void aTextIsPeeked() {
        Json json = Json.of(" {\"a\":{\"b\":\"in\"},\"b\":\"x\\n\",\"c\":1} ");
        assertThat(json.peekText("b")).isEqualTo("x\n");
        assertThat(json.peekText("c")).isNull();
        assertThat(json.peekText("d")).isNull();
        assertThat(json.get("a").orElseThrow().peekText("b")).isEqualTo("in");
        assertThat(Json.of("[\"b\"]").peekText("b")).isNull();
    }

    @Test
    void decoderMustReadToTheEnd() {
        assertThatThrownBy(() -> Json.of("[1]").as(in -> {
            in.beginArray();
            return 1;
        })).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void partsAreDecodedAlone() {
        Json json = Json.of("[true, 7 ,\"x\"]");
        assertThat(json.items()).map(item -> item.as(JsonReader::readJson).text())
                .containsExactly("true", "7", "\"x\"");
        assertThat(json.items().get(1).asInt()).isEqualTo(7);
    }

    @Test
    void wrongKindIsAMismatch() {
        assertThatExceptionOfType(JsonMismatchException.class).isThrownBy(() -> Json.of(" 5 ").asString())
                .withMessage("expected a string, found a number: 5")
                .extracting(JsonMismatchException::code)
                .isEqualTo("json_mismatch");
        assertThatThrownBy(() -> Json.of("\"x\"").asInt())
                .hasMessage("expected a number, found a string: \"x\"");
        assertThatThrownBy(() -> Json.NULL.asBoolean()).hasMessage("expected a boolean, found null");
        assertThatThrownBy(() -> Json.of("[1]").fields()).hasMessage("expected an object, found an array");
        assertThatThrownBy(() -> Json.of("{\"a\":1}").items())
                .hasMessage("expected an array, found an object");
        assertThatThrownBy(() -> Json.TRUE.asBigDecimal())
                .hasMessage("expected a number, found a boolean: true");
        assertThat(Json.of("[1]").get("a")).isEmpty();
    }

    @Test
    void viewsCannotBeChanged() {
        for (Json json : List.of(Json.of("{\"a\":[1]}"),
                Json.write(
                        out -> out.beginObject().name("a").beginArray().value(1).endArray().endObject()))) {
            Map<String, Json> fields = json.fields();
            assertThatThrownBy(() -> fields.put("b", Json.NULL))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(fields::clear).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> fields.entrySet().iterator().next().setValue(Json.NULL))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> fields.keySet().remove("a"))
                    .isInstanceOf(UnsupportedOperationException.class);
            List<Json> items = json.at("/a").orElseThrow().items();
            assertThatThrownBy(() -> items.set(0, Json.NULL))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> items.add(Json.NULL)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(json.canonical()).isEqualTo("{\"a\":[1]}");
        }
        assertThatThrownBy(() -> Json.EMPTY_OBJECT.fields().put("a", Json.NULL))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** The document and the answers of RFC 6901, section 5. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"/foo,[\"bar\"; \"baz\"]", "/foo/0,\"bar\"", "/,0", "/a~1b,1",
        "/c%d,2", "/e^f,3",
        "/g|h,4", "/i\\j,5", "/k\"l,6", "/ ,7", "/m~0n,8"}, ignoreLeadingAndTrailingWhitespace = false)
    void pointersOfTheStandardLead(String pointer, String found) {
        Json document = Json
                .of("""
                        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}
                        """);
        assertThat(document.at(pointer).orElseThrow().text()).isEqualTo(found.replace(';', ','));
        assertThat(document.at("")).containsSame(document);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/", "/foo/x",
        "/nope", "/foo/0/x",
        "/foo/99999999999999999999", "/~01", "/foo/\u0661"})
    void pointersToNothingAreEmpty(String pointer) {
        assertThat(Json.of("{\"foo\":[\"bar\",\"baz\"]}").at(pointer)).isEmpty();
    }

    @Test
    void malformedPointersAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.NULL.at("foo"))
                .withMessage("a JSON pointer is empty or starts with '/', was: foo");
        assertThatIllegalArgumentException().isThrownBy(() -> Json.NULL.at("/a~2"))
                .withMessage("in a JSON pointer '~' is followed by 0 or 1, was: /a~2");
        assertThatIllegalArgumentException().isThrownBy(() -> Json.NULL.at("/a~/b"));
        assertThat(Json.of("{\"~1\":1}").at("/~01")).contains(Json.number(1));
    }
}
