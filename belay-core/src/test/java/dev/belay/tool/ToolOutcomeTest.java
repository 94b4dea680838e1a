package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract F.3: what the model reads, and F.1: what a failure holds. An empty result is a reply too. */
class ToolOutcomeTest {

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of(new ToolOutcome.Success(Json.string("two\nlines \"quoted\" \\ and  spaces ")),
                        "two\nlines \"quoted\" \\ and  spaces ", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.string(" ")), " ", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.string("null")), "null", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.string("")), "(no output)", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.NULL), "(no output)", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.of(" null ")), "(no output)", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.of(" { \"a\" : [ 1.50 , \"x y\" ] }\n")),
                        "{\"a\":[1.50,\"x y\"]}", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.of("{}")), "{}", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.of("[]")), "[]", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.FALSE), "false", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Success(Json.number(0)), "0", ReplyPart.Status.OK),
                Arguments.of(new ToolOutcome.Failure(ToolFailure.of("disk full")),
                        "Error (tool_failed): disk full", ReplyPart.Status.ERROR),
                Arguments.of(
                        new ToolOutcome.Failure(
                                ToolFailure.of(ToolFailure.Kind.EXTERNAL, "bank_closed", "come back")),
                        "Error (bank_closed): come back", ReplyPart.Status.ERROR),
                Arguments.of(new ToolOutcome.Cancelled("the user pressed stop"),
                        "Cancelled: the user pressed stop", ReplyPart.Status.CANCELLED),
                Arguments.of(new ToolOutcome.Rejected("amount must be positive"),
                        "Rejected: amount must be positive", ReplyPart.Status.REJECTED));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void theModelReadsExactlyThis(ToolOutcome outcome, String text, ReplyPart.Status status) {
        assertThat(outcome.text()).isEqualTo(text);
        assertThat(outcome.status()).isEqualTo(status);
    }

    @Test
    void aFailureHasTheNineClassesAndFiveSourcesOfTheContract() {
        assertThat(ToolFailure.Kind.values()).extracting(Enum::name)
                .containsExactly("INVALID_REQUEST", "IO", "UNAVAILABLE", "PERMISSION_DENIED", "TIMEOUT",
                        "EXECUTION", "EXTERNAL", "RESOURCE_LIMIT", "INTERNAL");
        assertThat(ToolFailure.Source.values()).extracting(Enum::name)
                .containsExactly("TOOL", "RUNTIME", "PLUGIN", "POLICY", "CANCELLATION");
    }

    @Test
    void aToolsOwnFailureIsOfClassExecutionAndNotRetried() {
        assertThat(ToolFailure.of("no")).isEqualTo(new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_failed",
                "no", ToolFailure.Source.TOOL, RetryAdvice.NEVER));
        assertThat(ToolFailure.of(ToolFailure.Kind.IO, "x", "no").source())
                .isEqualTo(ToolFailure.Source.TOOL);
        assertThat(ToolFailure.ofRuntime(ToolFailure.Kind.IO, "x", "no").source())
                .isEqualTo(ToolFailure.Source.RUNTIME);
    }

    @Test
    void retryAdviceIsPartOfAFailure() {
        ToolFailure busy = ToolFailure.of("busy").withRetry(RetryAdvice.after(Duration.ofSeconds(3)));
        assertThat(busy.retry()).isEqualTo(new RetryAdvice(true, Duration.ofSeconds(3)));
        assertThat(busy.message()).isEqualTo("busy");
        assertThat(new ToolException(busy).retryable()).isTrue();
        assertThat(new ToolException("busy").retryable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bad", "9x", "with space", "a-b", "_a", "a\n"})
    void aCodeIsWrittenInThisForm(String code) {
        assertThatThrownBy(() -> ToolFailure.of(ToolFailure.Kind.IO, code, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a code is written in_this_form, found \"" + code + "\"");
    }

    @Test
    void adviceThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> new RetryAdvice(false, Duration.ofSeconds(1)))
                .hasMessage("\"after\" needs an allowed retry and no negative time, found PT1S");
        assertThatThrownBy(() -> RetryAdvice.after(Duration.ofSeconds(-1)))
                .hasMessage("\"after\" needs an allowed retry and no negative time, found PT-1S");
    }

    @Test
    void aToolExceptionCarriesItsFailure() {
        ToolFailure failure = ToolFailure.of(ToolFailure.Kind.EXTERNAL, "bank_closed", "come back");
        var cause = new IllegalStateException("secret");
        assertThat(new ToolException(failure, cause)).hasMessage("come back")
                .hasCause(cause)
                .satisfies(e -> assertThat(e.code()).isEqualTo("bank_closed"))
                .satisfies(e -> assertThat(e.failure()).isEqualTo(failure));
    }
}
