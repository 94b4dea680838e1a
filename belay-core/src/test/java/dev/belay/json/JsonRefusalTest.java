package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRefusalTest {

    @ParameterizedTest
    @MethodSource({"structure", "strings", "numbers", "mistakesOfModels"})
    void refusedTextNamesPlaceAndReason(String text, int line, int column, String problem) {
        var refused = catchThrowableOfType(JsonSyntaxException.class, () -> Json.of(text));
        assertThat(refused).as(text).isNotNull().hasMessageStartingWith(problem);
        assertThat(refused).hasMessageEndingWith(" (line " + line + ", column " + column + ")");
        assertThat(refused.line()).isEqualTo(line);
        assertThat(refused.column()).isEqualTo(column);
        assertThat(refused.code()).isEqualTo("malformed_json");
    }

    static Stream<Arguments> structure() {
        return Stream.of(
                arguments("", 1, 1, "the text is empty, expected a JSON value"),
                arguments(" \n\t ", 2, 3, "the text is empty, expected a JSON value"),
                arguments("{} {}", 1, 4, "expected the end of the text, found '{'"),
                arguments("1 2", 1, 3, "expected the end of the text, found '2'"),
                arguments("{", 1, 2,
                        "the text ends inside an object, expected a field name in double quotes"),
                arguments("{\"a\"", 1, 5,
                        "the text ends inside an object, expected ':' after the field name"),
                arguments("{\"a\":", 1, 6, "the text ends inside an object, expected a value"),
                arguments("{\"a\":1", 1, 7, "the text ends inside an object, expected ',' or '}'"),
                arguments("[", 1, 2, "the text ends inside an array, expected a value"),
                arguments("[1,\r\n", 2, 1, "the text ends inside an array, expected a value"),
                arguments("[1", 1, 3, "the text ends inside an array, expected ',' or ']'"),
                arguments("[1 2]", 1, 4, "expected ',' or ']', found '2'"),
                arguments("{\"a\" 1}", 1, 6, "expected ':' after the field name, found '1'"),
                arguments("{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}', found '\"': a comma is missing"),
                arguments("[,1]", 1, 2, "expected a value, found ',': a value is missing before the comma"),
                arguments("[1,,2]", 1, 4, "expected a value, found ',': a value is missing before the comma"),
                arguments("{,}", 1, 2, "expected a field name in double quotes, found ','"),
                arguments("{\"a\":}", 1, 6, "expected a value, found '}'"),
                arguments("[1}", 1, 3, "expected ',' or ']', found '}'"),
                arguments("{1:2}", 1, 2, "expected a field name in double quotes, found '1'"),
                arguments("\r[\r\n\n x]", 4, 2, "expected a value, found 'x'"),
                arguments("{\"a\":1,\n \"b\":{},\"a\":2}", 2, 9,
                        "expected each field once, found a second \"a\""),
                arguments("[{\"k\":1,\"\\u006b\":2}]", 1, 9,
                        "expected each field once, found a second \"k\""),
                arguments("\uFEFF{}", 1, 1,
                        "expected a value, found U+FEFF: the text must not start with a byte order mark"),
                arguments("\u00a0{}", 1, 1, "expected a value, found U+00A0"),
                arguments("\u0000", 1, 1, "expected a value, found U+0000"),
                arguments("[\uD83D\uDE00]", 1, 2, "expected a value, found '\uD83D\uDE00' (U+1F600)"),
                arguments("nul", 1, 1, "expected a value, found the word nul"),
                arguments("[truex]", 1, 2, "expected a value, found the word truex"));
    }

    static Stream<Arguments> strings() {
        return Stream.of(
                arguments("\"abc", 1, 5, "the text ends inside a string, expected a closing double quote"),
                arguments("{\"a", 1, 4, "the text ends inside a string, expected a closing double quote"),
                arguments("\"\\", 1, 3, "the text ends inside a string, expected an escape after \\"),
                arguments("\"\\u12", 1, 6,
                        "the text ends inside a string, expected four hexadecimal digits after \\u"),
                arguments("\"\\x41\"", 1, 3, "expected one of \" \\ / b f n r t u after \\, found 'x'"),
                arguments("\"\\u12g4\"", 1, 6, "expected four hexadecimal digits after \\u, found 'g'"),
                arguments("\"\\u123\u0661\"", 1, 7,
                        "expected four hexadecimal digits after \\u, found '\u0661' (U+0661)"),
                arguments("\"a\nb\"", 1, 3,
                        "expected a character of a string, found U+000A: control characters are escaped, this one as \\n"),
                arguments("\"\u001f\"", 1, 2,
                        "expected a character of a string, found U+001F: control characters are escaped, this one as \\u001f"),
                arguments("\"\\ud800\"", 1, 2,
                        "expected whole characters in a string, found the lone surrogate \\ud800"),
                arguments("\"a\\uDC00\"", 1, 3,
                        "expected whole characters in a string, found the lone surrogate \\uDC00"),
                arguments("\"\\ud800\\u0041\"", 1, 2,
                        "expected whole characters in a string, found the lone surrogate"),
                arguments("\"\\ud800\\n\"", 1, 2,
                        "expected whole characters in a string, found the lone surrogate"),
                arguments("\"\\ud83d\uDE00\"", 1, 2,
                        "expected whole characters in a string, found the lone surrogate"),
                arguments("\"x\uD800\"", 1, 3,
                        "expected whole characters in a string, found the lone surrogate U+D800"),
                arguments("\"\uDE00\"", 1, 2,
                        "expected whole characters in a string, found the lone surrogate U+DE00"));
    }

    static Stream<Arguments> numbers() {
        return Stream.of(
                arguments("012", 1, 2, "expected a number without leading zeros, found '1' after 0"),
                arguments("-00", 1, 3, "expected a number without leading zeros, found '0' after 0"),
                arguments("-", 1, 2, "the text ends inside a number, expected a digit after '-'"),
                arguments("1.", 1, 3,
                        "the text ends inside a number, expected a digit after the decimal point"),
                arguments("[1.]", 1, 4, "expected a digit after the decimal point, found ']'"),
                arguments("1e", 1, 3, "the text ends inside a number, expected a digit in the exponent"),
                arguments("[1e+]", 1, 5, "expected a digit in the exponent, found ']'"),
                arguments("[-x]", 1, 3, "expected a digit after '-', found 'x'"),
                arguments("+1", 1, 1, "expected a value, found '+': a number is written without a plus sign"),
                arguments(".5", 1, 1, "expected a value, found '.': a number starts with a digit, as in 0.5"),
                arguments("0x1F", 1, 2, "expected the end of the text, found the word x1F"),
                arguments("NaN", 1, 1,
                        "expected a value, found the word NaN: JSON has no NaN and no infinities"),
                arguments("[Infinity]", 1, 2, "expected a value, found the word Infinity: JSON has no NaN"),
                arguments("-Infinity", 1, 2,
                        "expected a digit after '-', found the word Infinity: JSON has no NaN"),
                arguments("[" + "1".repeat(1001) + "]", 1, 2,
                        "a number may have at most 1000 characters, found 1001"),
                arguments("9".repeat(1000), 1, 1,
                        "a number may have at most 1000 characters in canonical form, found 1006"),
                arguments("[0, 1e10000]", 1, 5,
                        "the exponent of a number must be from -9999 to 9999, found 1e10000"),
                arguments("1e-10000", 1, 1,
                        "the exponent of a number must be from -9999 to 9999, found 1e-10000"),
                arguments("0e99999999999999999999", 1, 1,
                        "the exponent of a number must be from -9999 to 9999"),
                arguments("12e9999", 1, 1,
                        "the exponent of a number must be from -9999 to 9999, found 12e9999"),
                arguments("0.1e-9999", 1, 1,
                        "the exponent of a number must be from -9999 to 9999, found 0.1e-9999"));
    }

    static Stream<Arguments> mistakesOfModels() {
        String alone = "the text must be one JSON value with nothing before or after it";
        return Stream.of(
                arguments("{'a':1}", 1, 2, "expected a field name in double quotes, found a single quote: "
                        + "strings and field names stand in double quotes"),
                arguments("['a']", 1, 2, "expected a value, found a single quote: "
                        + "strings and field names stand in double quotes"),
                arguments("{city: 1}", 1, 2, "expected a field name in double quotes, found the word city: "
                        + "field names stand in double quotes"),
                arguments("{\"a\":Berlin}", 1, 6,
                        "expected a value, found the word Berlin: text stands in double quotes"),
                arguments("{\"a\":1,}", 1, 8,
                        "expected a field name in double quotes, found '}': no comma may stand before '}'"),
                arguments("[1, ]", 1, 5, "expected a value, found ']': no comma may stand before ']'"),
                arguments("{\"a\":1 // one\n}", 1, 8, "expected ',' or '}', found '/': JSON has no comments"),
                arguments("/* x */ 1", 1, 1, "expected a value, found '/': JSON has no comments"),
                arguments("[1] # x", 1, 5, "expected the end of the text, found '#': JSON has no comments"),
                arguments("[True]", 1, 2, "expected a value, found the word True: it is written true"),
                arguments("[False]", 1, 2, "expected a value, found the word False: it is written false"),
                arguments("{\"a\": None}", 1, 7, "expected a value, found the word None: it is written null"),
                arguments("[undefined]", 1, 2,
                        "expected a value, found the word undefined: it is written null"),
                arguments("```json\n{}\n```", 1, 1,
                        "expected a value, found '`': " + alone + ", without a ``` fence"),
                arguments("{}\n```", 2, 1, "expected the end of the text, found '`': " + alone),
                arguments("Here: {}", 1, 1, "expected a value, found the word Here: " + alone),
                arguments("{} done", 1, 4, "expected the end of the text, found the word done: " + alone),
                arguments("{\u201ca\u201d:1}", 1, 2,
                        "expected a field name in double quotes, found '\u201c' (U+201C): "
                                + "strings stand in plain double quotes, not in typographic ones"),
                arguments("{\"a\":\"say \"hi\"\"}", 1, 12,
                        "expected ',' or '}', found the word hi: a double quote inside a string is written \\\""));
    }

    @Test
    void depthIsBounded() {
        var limits = new JsonLimits(100, 3);
        assertThat(Json.of("[[{}]]", limits).text()).isEqualTo("[[{}]]");
        assertThatThrownBy(() -> Json.of("[[{\"a\":\n []}]]", limits)).isInstanceOf(JsonSyntaxException.class)
                .hasMessage(
                        "objects and arrays may be nested at most 3 levels deep, found one more (line 2, column 2)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":"})
    void hundredThousandLevelsAreRefusedQuickly(String open) {
        String text = open.repeat(100_000);
        assertTimeout(Duration.ofSeconds(2), () -> assertThatThrownBy(() -> Json.of(text))
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessageContaining("at most 512 levels"));
    }

    @Test
    void deepestTreeIsReadComparedAndSpliced() {
        String text = "[".repeat(512) + "]".repeat(512);
        Json deepest = Json.of(text);
        assertThat(deepest.canonical()).isEqualTo(text);
        assertThat(Json.write(out -> out.value(deepest)).items()).hasSize(1);
    }

    @Test
    void tenMegabytesAreRefusedQuickly() {
        String text = "\"" + "x".repeat(10_000_000) + "\"";
        assertTimeout(Duration.ofSeconds(2), () -> assertThatThrownBy(
                () -> Json.of(text, JsonLimits.ARGUMENTS))
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessage(
                        "the text may have at most 1048576 bytes of UTF-8, found more (line 1, column 1048577)"));
        String number = "1".repeat(10_000_000);
        assertTimeout(Duration.ofSeconds(2), () -> assertThatThrownBy(() -> Json.of(number))
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessageContaining("at most 1000 characters"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"aaaaaaaa\"", "\"éééé\"", "\"€€aa\"", "\"\uD83D\uDE00\uD83D\uDE00\""})
    void bytesAreCountedInUtf8(String tenBytes) {
        assertThat(Json.of(tenBytes, new JsonLimits(10, 1)).text()).isEqualTo(tenBytes);
        assertThatThrownBy(() -> Json.of(tenBytes, new JsonLimits(9, 1)))
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessageContaining("at most 9 bytes");
    }

    @Test
    void limitsCheckThemselves() {
        assertThatIllegalArgumentException().isThrownBy(() -> new JsonLimits(0, 1))
                .withMessage("maxBytes must be at least 1, was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> new JsonLimits(1, 0))
                .withMessage("maxDepth must be from 1 to 512, was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> new JsonLimits(1, 513))
                .withMessage("maxDepth must be from 1 to 512, was 513");
    }

    @Test
    void longFindsAreCut() {
        assertThatThrownBy(() -> Json.of("x".repeat(5_000_000))).isInstanceOf(JsonSyntaxException.class)
                .message()
                .hasSizeLessThan(250);
    }
}
