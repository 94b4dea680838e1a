package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.schema.Length;
import dev.belay.schema.Range;
import dev.belay.schema.TypeRef;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract B.6: declared outputs are validated, typed and raw; F.3: how good ones read. */
class ToolOutputTest {

    record In() {}

    record Receipt(String number, @Range(min = 0) BigDecimal total, @Nullable @Length(max = 3) String note) {}

    sealed interface Answer {}

    record Yes(int votes) implements Answer {}

    private static ToolOutcome outcome(ToolDefinition definition, @Nullable Object value) {
        return ToolCaller.of(StaticToolProvider.of(List.of(definition), call -> value)).call("pay", "{}");
    }

    @SuppressWarnings("NullAway") // what a careless tool does
    private static String nothing() {
        return null;
    }

    static Stream<Arguments> broken() {
        Class<?> receipt = Receipt.class;
        return Stream.of(
                Arguments.of(receipt, new Receipt(nothing(), BigDecimal.ONE, null),
                        "Receipt.number is null but not marked @Nullable"),
                Arguments.of(receipt, new Receipt("n", new BigDecimal("-0.01"), null),
                        "Receipt.total: -0.01 is out of range"),
                Arguments.of(receipt, new Receipt("n", BigDecimal.ONE, "long"),
                        "Receipt.note: the length of the text is out of bounds"),
                Arguments.of(Answer.class, new Receipt("n", BigDecimal.ONE, null),
                        Receipt.class.getName() + " is no variant of Answer"),
                Arguments.of(double.class, Double.NaN, "expected a finite number, found NaN"),
                Arguments.of(Void.class, "something", "expected no value, found java.lang.String"),
                Arguments.of(receipt, null, "expected a value, found null"),
                Arguments.of(String.class, null, "expected a value, found null"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aTypedOutputThatBreaksItsTypeIsInvalid(Class<?> output, @Nullable Object value, String problem) {
        assertInvalid(outcome(ToolDefinition.typed(In.class, output, "pay", "Pays."), value), problem);
    }

    @Test
    void anOutputOfAnotherClassIsInvalid() {
        assertThat(outcome(ToolDefinition.typed(In.class, Receipt.class, "pay", "Pays."), "text"))
                .isInstanceOfSatisfying(ToolOutcome.Failure.class, failed -> {
                    assertThat(failed.failure().code()).isEqualTo("invalid_tool_output");
                    assertThat(failed.failure().message())
                            .startsWith("tool pay returned a value of another type than it declares; ");
                });
    }

    @Test
    void aNullItemIsInvalid() {
        assertInvalid(outcome(ToolDefinition.typed(In.class, new TypeRef<List<String>>() {}, "pay", "Pays."),
                Arrays.asList("a", null)), "an item is null but not marked @Nullable");
    }

    @Test
    void itemsThatAreEqualAsJsonAreInvalid() {
        assertInvalid(
                outcome(ToolDefinition.typed(In.class, new TypeRef<Set<BigDecimal>>() {}, "pay", "Pays."),
                        Set.of(new BigDecimal("1.0"), new BigDecimal("1.00"))),
                "an item stands twice");
    }

    @Test
    void markedItemsOfATypeReferenceAreChecked() {
        var output = new TypeRef<List<@Length(max = 3) String>>() {};
        var definition = ToolDefinition.typed(In.class, output, "pay", "Pays.");
        assertThat(definition.contract().output()).hasToString(
                "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"maxLength\":3}}");
        assertInvalid(outcome(definition, List.of("long")), "the length of the text is out of bounds");
    }

    static Stream<Arguments> brokenRaw() {
        return Stream.of(
                Arguments.of(Json.of("{\"total\":\"1\"}"),
                        "/total: expected a number, found \"1\"; write 1 without quotes"),
                Arguments.of("text", "(root): expected an object, found \"text\""),
                Arguments.of(null, "(root): expected an object, found null"),
                Arguments.of(Json.of("{}"), "(root): required field \"total\" is missing"));
    }

    @ParameterizedTest
    @MethodSource("brokenRaw")
    void aRawOutputThatBreaksItsSchemaIsInvalid(@Nullable Object value, String problem) {
        var definition = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"), Json.of(
                "{\"type\":\"object\",\"properties\":{\"total\":{\"type\":\"number\"}},\"required\":[\"total\"]}"));
        assertInvalid(outcome(definition, value), problem);
        assertThat(outcome(definition, Json.of("{\"total\":1}")).text()).isEqualTo("{\"total\":1}");
    }

    @Test
    void aRawToolWithoutOutputSchemaMayReturnNothing() {
        var definition = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"));
        assertThat(outcome(definition, null).text()).isEqualTo("(no output)");
    }

    static Stream<Arguments> good() {
        return Stream.of(
                Arguments.of(Receipt.class, new Receipt("n", new BigDecimal("1.50"), null),
                        "{\"number\":\"n\",\"total\":1.50}"),
                Arguments.of(Answer.class, new Yes(3), "{\"type\":\"yes\",\"votes\":3}"),
                Arguments.of(String.class, "two\nlines", "two\nlines"),
                Arguments.of(String.class, "", "(no output)"),
                Arguments.of(Void.class, null, "(no output)"), Arguments.of(int.class, 7, "7"),
                Arguments.of(Json.class, Json.of("{ \"a\" : 1 }"), "{\"a\":1}"));
    }

    @ParameterizedTest
    @MethodSource("good")
    void aGoodOutputReadsLikeThis(Class<?> output, @Nullable Object value, String text) {
        assertThat(outcome(ToolDefinition.typed(In.class, output, "pay", "Pays."), value).text())
                .isEqualTo(text);
        assertThat(
                outcome(ToolDefinition.typed(In.class, output, "pay", "Pays."), ToolResult.ok(value)).text())
                .isEqualTo(text);
    }

    @Test
    void anEmptyOptionalIsNoOutput() {
        var definition = ToolDefinition.typed(In.class, new TypeRef<Optional<Map<String, Integer>>>() {},
                "pay",
                "Pays.");
        assertThat(outcome(definition, Optional.empty()).text()).isEqualTo("(no output)");
        assertThat(outcome(definition, Optional.of(Map.of("a", 1))).text()).isEqualTo("{\"a\":1}");
        assertThat(outcome(definition, null).text()).isEqualTo("(no output)");
    }

    private static void assertInvalid(ToolOutcome outcome, String problem) {
        assertThat(outcome).isEqualTo(new ToolOutcome.Failure(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL,
                "invalid_tool_output", "tool pay returned what its own schema does not allow: " + problem)
                .thatMayHaveHappened()));
    }
}
