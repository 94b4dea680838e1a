package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.tool.option.RetryAdvice;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract B.3 (bounds), B.4 (all violations), B.5 (malformed text). The model is told why arguments failed, also of nested
 * ones, and malformed ones never become an empty object.
 */
public class BadInputTest {

    record Line(int quantity, @Nullable BigDecimal price) {}

    record Order(@Length(min = 2, max = 4) String customer, OptionalInt limit, List<Line> lines,
            Map<String, String> notes) {}

    record Free(OptionalInt limit) {}

    record Numbers(byte b, int i, long l, float f, double d, BigInteger big,
            @Range(max = 50) double bounded) {}

    record Coded(@Pattern("^(a+)+$") String code) {}

    private static final String VALID = "{\"customer\":\"ann\",\"lines\":[{\"quantity\":1}],\"notes\":{}}";
    private static final Json ORDER_SCHEMA = ToolDefinition.typed(Order.class, Void.class, "order", "Orders.")
            .contract()
            .input()
            .json();

    private final AtomicInteger bodies = new AtomicInteger();

    private final ToolCaller caller = ToolCaller.of(StaticToolProvider.of(List.of(
            ToolDefinition.typed(Order.class, String.class, "order", "Orders."),
            ToolDefinition.raw("raw_order", "Orders.", ORDER_SCHEMA),
            ToolDefinition.typed(Free.class, String.class, "free", "Needs nothing."),
            ToolDefinition.typed(Numbers.class, String.class, "numbers", "Takes numbers."),
            ToolDefinition.typed(Coded.class, String.class, "coded", "Takes a code.")), call -> {
                bodies.incrementAndGet();
                return call.input().toString();
            }));

    private ToolFailure refused(String tool, String arguments) {
        ToolOutcome outcome = caller.call(tool, arguments);
        assertThat(outcome).isInstanceOf(ToolOutcome.Failure.class);
        assertThat(bodies).as("bodies that ran").hasValue(0);
        ToolFailure failure = ((ToolOutcome.Failure) outcome).failure();
        assertThat(failure.kind()).isEqualTo(ToolFailure.Kind.INVALID_REQUEST);
        assertThat(failure.source()).isEqualTo(ToolFailure.Source.RUNTIME);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.NEVER);
        return failure;
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("hello",
                        "expected a value, found the word hello: the text must be one JSON value with "
                                + "nothing before or after it (line 1, column 1)"),
                Arguments.of("{\"customer\":\"ann\",\n \"lines\":[",
                        "the text ends inside an array, expected a value (line 2, column 11)"),
                Arguments.of("{\"customer\":\"an",
                        "the text ends inside a string, expected a closing double quote (line 1, column 16)"),
                Arguments.of(VALID + " thanks",
                        "expected the end of the text, found the word thanks: the text must be "
                                + "one JSON value with nothing before or after it (line 1, column 56)"),
                Arguments.of(VALID + VALID,
                        "expected the end of the text, found '{': the text must be one JSON value "
                                + "with nothing before or after it (line 1, column 55)"),
                Arguments.of("{\"customer\":\"ann\",\"customer\":\"bob\",\"lines\":[],\"notes\":{}}",
                        "expected each field once, found a second \"customer\" (line 1, column 19)"),
                Arguments.of(
                        "{\"customer\":\"ann\",\"lines\":[{\"quantity\":1,\n\"quantity\":1}],\"notes\":{}}",
                        "expected each field once, found a second \"quantity\" (line 2, column 1)"),
                Arguments.of("{\"customer\":\"ann\",\"lines\":[],\"notes\":{\"a\":\"\",\"\\u0061\":\"\"}}",
                        "expected each field once, found a second \"a\" (line 1, column 46)"),
                Arguments.of("{\"customer\":NaN}",
                        "expected a value, found the word NaN: JSON has no NaN and no infinities (line 1, column 13)"),
                Arguments.of("{\"customer\":\"\\ud800\"}",
                        "expected whole characters in a string, found the lone surrogate "
                                + "\\ud800: a high surrogate is followed by a low one (line 1, column 14)"),
                Arguments.of("{\"customer\":\"\ud800\"}",
                        "expected whole characters in a string, found the lone surrogate "
                                + "U+D800: a high surrogate is followed by a low one (line 1, column 14)"),
                Arguments.of("{'customer':'ann'}",
                        "expected a field name in double quotes, found a single quote: "
                                + "strings and field names stand in double quotes (line 1, column 2)"),
                Arguments.of("```json\n{}\n```",
                        "expected a value, found '`': the text must be one JSON value with "
                                + "nothing before or after it, without a ``` fence (line 1, column 1)"),
                Arguments.of("{\"lines\":[1,]}",
                        "expected a value, found ']': no comma may stand before ']' (line 1, column 13)"),
                Arguments.of("{\"limit\":1e10000}",
                        "the exponent of a number must be from -9999 to 9999, found 1e10000 "
                                + "(line 1, column 10)"),
                Arguments.of("{\"limit\":" + "1".repeat(1_001) + "}",
                        "a number may have at most 1000 characters, found 1001 (line 1, column 10)"),
                Arguments.of("{\"limit\":01}",
                        "expected a number without leading zeros, found '1' after 0 (line 1, column 11)"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void textThatIsNotJsonIsMalformedWithLineAndColumn(String text, String problem) {
        ToolFailure typed = refused("order", text);
        assertThat(typed.code()).isEqualTo("malformed_arguments");
        assertThat(typed.message()).isEqualTo("the arguments of order cannot be read as JSON: " + problem);
        ToolFailure raw = refused("raw_order", text);
        assertThat(raw.code()).isEqualTo("malformed_arguments");
        assertThat(raw.message()).isEqualTo("the arguments of raw_order cannot be read as JSON: " + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "raw_order", "free"})
    void malformedTextNeverBecomesAnEmptyObject(String tool) {
        assertThat(List.of("{", "}", "nothing", "{}{}", "{} x", "undefined", "\"", "'{}'", "{]", "{,}"))
                .allSatisfy(text -> assertThat(refused(tool, text).code()).isEqualTo("malformed_arguments"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t "})
    void emptyTextIsAnEmptyObjectOnlyWhereNoFieldIsRequired(String text) {
        ToolFailure failure = refused("order", text);
        assertThat(failure.code()).isEqualTo("malformed_arguments");
        assertThat(failure.message())
                .isEqualTo(
                        "the arguments of order cannot be read as JSON: the text is empty; expected a JSON object");
        assertThat(refused("raw_order", text).code()).isEqualTo("malformed_arguments");
        assertThat(caller.call("free", text).text()).isEqualTo("Free[limit=OptionalInt.empty]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "raw_order"})
    void everyViolationIsToldWithItsPlaceAndTheNearestName(String tool) {
        ToolFailure failure = refused(tool, """
                {"custmer": "ann", "limit": 2.5, "lines": [{"quantity": "3"}, {"price": null, "qty": 1}, 7],
                 "notes": {"a": 1, "b/c": null}}""");
        assertThat(failure.code()).isEqualTo("invalid_arguments");
        assertThat(failure.message()).isEqualTo("the arguments of " + tool
                + """
                         do not fit its schema:
                        (root): required field "customer" is missing
                        /custmer: is not a known field; did you mean "customer"? Known fields are "customer", "limit", "lines", \
                        "notes"
                        /limit: expected a whole number or null, found 2.5
                        /lines/0/quantity: expected a whole number, found "3"; write 3 without quotes
                        /lines/1: required field "quantity" is missing
                        /lines/1/qty: is not a known field; known fields are "quantity", "price"
                        /lines/2: expected an object, found 7
                        /notes/a: expected a string, found 1
                        /notes/b~1c: expected a string, found null; leave the field out""");
    }

    @Test
    void tenViolationsAreShownAndTheRestCounted() {
        String notes = IntStream.range(0, 25)
                .mapToObj(i -> "\"n" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
        String message = refused("order", "{\"customer\":\"ann\",\"lines\":[],\"notes\":" + notes + "}")
                .message();
        assertThat(message.lines()).hasSize(12)
                .first()
                .isEqualTo("the arguments of order do not fit its schema:");
        assertThat(message).contains("\n/notes/n9: expected a string, found 9\n")
                .doesNotContain("/notes/n10:")
                .endsWith("\nand 15 more");
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of("order", "[]", "(root): expected an object, found []"),
                Arguments.of("order", "null", "(root): expected an object, found null"),
                Arguments.of("order", "\"{}\"",
                        "(root): expected an object, found \"{}\"; write {} without quotes"),
                Arguments.of("order", "{\"customer\":\"ann\",\"lines\":[]}",
                        "(root): required field \"notes\" is missing"),
                Arguments.of("order", VALID.replace("\"ann\"", "null"),
                        "/customer: expected a string, found null"),
                Arguments.of("order", VALID.replace("\"ann\"", "\"😀\""),
                        "/customer: expected a string of at least 2 characters, found \"😀\" of 1 character"),
                Arguments.of("numbers", numbers("b", "128"),
                        "/b: expected a whole number from -128 to 127, found 128"),
                Arguments.of("numbers", numbers("i", "3000000000"),
                        "/i: expected a whole number from -2147483648 to 2147483647, found 3000000000"),
                Arguments.of("numbers", numbers("i", "2.5"), "/i: expected a whole number, found 2.5"),
                Arguments.of("numbers", numbers("l", "1e9999"),
                        "/l: expected a whole number from -9223372036854775808 to 9223372036854775807, found 1e9999"),
                Arguments.of("numbers", numbers("l", "9".repeat(400)),
                        "/l: expected a whole number from -9223372036854775808 to 9223372036854775807, found "
                                + "9".repeat(80) + "…"),
                Arguments.of("numbers", numbers("f", "1e39"),
                        "/f: expected a number that a 32-bit float can hold, found 1e39"),
                Arguments.of("numbers", numbers("d", "-1e309"),
                        "/d: expected a number that a 64-bit double can hold, found -1e309"),
                Arguments.of("numbers", numbers("bounded", "50.000000000000000001"),
                        "/bounded: expected a number of at most 50, found 50.000000000000000001"),
                Arguments.of("numbers", numbers("big", "1e-9999"),
                        "/big: expected a whole number, found 1e-9999"));
    }

    private static String numbers(String field, String value) {
        return "{\"b\":1,\"i\":1,\"l\":1,\"f\":1,\"d\":1,\"big\":1,\"bounded\":1}".replace(
                "\"" + field + "\":1",
                "\"" + field + "\":" + value);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void oneViolationIsOneLine(String tool, String arguments, String line) {
        ToolFailure failure = refused(tool, arguments);
        assertThat(failure.code()).isEqualTo("invalid_arguments");
        assertThat(failure.message())
                .isEqualTo("the arguments of " + tool + " do not fit its schema:\n" + line);
    }

    @Test
    void numbersKeepTheirDigitsFromTextToTheBody() {
        String digits = "12345678901234567890.12345678901234567890";
        assertThat(
                caller.call("order", VALID.replace("\"quantity\":1", "\"quantity\":2.0,\"price\":" + digits))
                        .text())
                .contains("Line[quantity=2, price=" + digits + "]");
        assertThat(caller.call("numbers", numbers("big", "9".repeat(400))).text())
                .contains("big=" + "9".repeat(400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "raw_order", "free"})
    void tenMegabytesAreRefusedAtOnce(String tool) {
        String text = "{\"customer\":\"" + "x".repeat(10 << 20) + "\"}";
        ToolFailure failure = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> refused(tool, text));
        assertThat(failure.code()).isEqualTo("malformed_arguments");
        assertThat(failure.message()).isEqualTo("the arguments of " + tool
                + " cannot be read as JSON: the text may have at most 1048576 bytes of UTF-8, found more (line 1, column 1048577)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "raw_order", "free"})
    void aThousandLevelsAreRefused(String tool) {
        String text = "{\"lines\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}";
        ToolFailure failure = refused(tool, text);
        assertThat(failure.code()).isEqualTo("malformed_arguments");
        assertThat(failure.message()).isEqualTo("the arguments of " + tool
                + " cannot be read as JSON: objects and arrays may be nested at most 128 levels deep, found one more (line 1, "
                + "column 137)");
    }

    @Test
    void aPatternWithManyWaysGetsATrueVerdict() {
        String code = "a".repeat(50_000) + "b";
        ToolFailure failure = assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> refused("coded", "{\"code\":\"" + code + "\"}"));
        assertThat(failure.code()).isEqualTo("invalid_arguments");
        assertThat(failure.message()).contains("/code: expected a string matching ^(a+)+$, found \"aaa")
                .doesNotContain("given up");
        assertThat(caller.call("coded", "{\"code\":\"aaa\"}").text()).isEqualTo("Coded[code=aaa]");
    }

    record Times(LocalDate date, Period period) {}

    @Test
    void aPeriodThatOverflowsIsInvalid() {
        var times = ToolCaller.of(StaticToolProvider.of(
                List.of(ToolDefinition.typed(Times.class, Void.class, "times", "Takes times.")),
                call -> null));
        assertThat(times.call("times", "{\"date\":\"2026-02-30\",\"period\":\"P2147483647W\"}").text())
                .isEqualTo("""
                        Error (invalid_arguments): the arguments of times do not fit its schema:
                        /date: expected a date such as "2025-12-31", found "2026-02-30"
                        /period: expected a period such as "P1Y2M3D", found "P2147483647W\"""");
    }

    record Checked(int value) {
        Checked {
            if (value == 13) {
                throw new IllegalArgumentException("13 brings bad luck");
            }
        }
    }

    @Test
    void aConstructorThatRefusesIsInvalidArguments() {
        var checked = ToolCaller.of(StaticToolProvider.of(
                List.of(ToolDefinition.typed(Checked.class, Void.class, "checked", "Checks.")),
                call -> null));
        assertThat(checked.call("checked", "{\"value\":13}").text())
                .isEqualTo("Error (invalid_arguments): the arguments of checked do not fit its schema:\n"
                        + "Checked refuses these values: 13 brings bad luck");
    }

    sealed interface Expr {}

    record Leaf(List<Integer> values) implements Expr {}

    record Pair(Expr left, Expr right) implements Expr {}

    record Calc(Expr expr, Set<String> sets) {}

    @Test
    void deepUnionsAreReadInBoundedTime() {
        var calc = ToolCaller.of(StaticToolProvider.of(
                List.of(ToolDefinition.typed(Calc.class, String.class, "calc", "Calculates.")),
                call -> "ok"));
        String leaf = "{\"type\":\"leaf\",\"values\":[]}";
        String expr = leaf.replace("[]", "[" + "1,".repeat(500_000) + "1]");
        for (int i = 0; i < 120; i++) {
            expr = "{\"left\":" + expr + ",\"right\":" + leaf + ",\"type\":\"pair\"}";
        }
        String text = "{\"expr\":" + expr + ",\"sets\":[]}";
        assertThat(assertTimeoutPreemptively(Duration.ofSeconds(30), () -> calc.call("calc", text)).text())
                .isEqualTo("ok");
    }
}
