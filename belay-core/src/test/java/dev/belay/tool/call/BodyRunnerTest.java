package dev.belay.tool.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.fixture.logging.CapturedLog;
import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.BodyRunner.Ended;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.option.RetryAdvice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.SocketTimeoutException;
import java.nio.CharBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/** Contract F.1 (what a body may return or throw), F.2 (what is contained), F.3 (no stack traces), B.6 (outputs). */
class BodyRunnerTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");
    private static final ToolDefinition RAW = ToolDefinition.raw("pay", "Pays.", ANY);
    private static final Cancellation CANCELLED = () -> Optional.of("the user pressed stop");

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private static Ended run(ToolDefinition definition, Cancellation cancellation,
            Callable<@Nullable Object> body) {
        return BodyRunner.run(definition, cancellation, body);
    }

    private static ToolOutcome outcome(Callable<@Nullable Object> body) {
        return ((Ended.With) run(RAW, Cancellation.NEVER, body)).outcome();
    }

    private static ToolFailure failure(Throwable thrown) {
        return failure(thrown, Cancellation.NEVER);
    }

    private static ToolFailure failure(Throwable thrown, Cancellation cancellation) {
        var ended = (Ended.With) run(RAW, cancellation, throwing(thrown));
        return ((ToolOutcome.Failure) ended.outcome()).failure();
    }

    private static Callable<@Nullable Object> throwing(Throwable thrown) {
        return () -> {
            switch (thrown) {
                case Error error -> throw error;
                case Exception exception -> throw exception;
                default -> throw new AssertionError(thrown);
            }
        };
    }

    @Test
    void aValueIsASuccess() {
        assertThat(outcome(() -> "paid")).isEqualTo(new ToolOutcome.Success(Json.string("paid")));
        assertThat(outcome(() -> Json.of("{\"a\":1}")))
                .isEqualTo(new ToolOutcome.Success(Json.of("{\"a\":1}")));
    }

    @Test
    void nothingIsASuccessWithoutOutput() {
        assertThat(outcome(() -> null)).isEqualTo(new ToolOutcome.Success(Json.NULL));
        assertThat(outcome(() -> null).text()).isEqualTo("(no output)");
        assertThat(outcome(() -> "").text()).isEqualTo("(no output)");
    }

    @Test
    void resultOkIsASuccess() {
        assertThat(outcome(() -> ToolResult.ok("paid"))).isEqualTo(
                new ToolOutcome.Success(Json.string("paid")));
        assertThat(outcome(() -> ToolResult.ok(null)).text()).isEqualTo("(no output)");
    }

    @Test
    void resultFailureIsThatFailure() {
        ToolFailure failure = ToolFailure.of(ToolFailure.Kind.EXTERNAL, "bank_closed", "come back")
                .withRetry(RetryAdvice.after(Duration.ofHours(1)));
        assertThat(outcome(() -> ToolResult.failure(failure))).isEqualTo(new ToolOutcome.Failure(failure));
        assertThat(outcome(() -> ToolResult.failure("no"))).isEqualTo(
                new ToolOutcome.Failure(ToolFailure.of("no")));
    }

    @Test
    void resultPendingParks() {
        var completion = PendingCompletion.DEFAULT.until(Instant.EPOCH)
                .onTimeout(PendingCompletion.OnTimeout.FAIL_TURN)
                .onCancel(PendingCompletion.OnCancel.IGNORE)
                .announcing("waiting");
        assertThat(run(RAW, Cancellation.NEVER, () -> ToolResult.pending(completion)))
                .isEqualTo(new Ended.Parked(new PendingCompletion(Instant.EPOCH,
                        PendingCompletion.OnTimeout.FAIL_TURN, PendingCompletion.OnCancel.IGNORE,
                        "waiting")));
        assertThat(run(RAW, Cancellation.NEVER, ToolResult::pending))
                .isEqualTo(new Ended.Parked(
                        new PendingCompletion(null, PendingCompletion.OnTimeout.ERROR_AS_RESULT,
                                PendingCompletion.OnCancel.CANCEL_EXTERNAL_WORK, null)));
    }

    @Test
    void aToolExceptionSaysItself() {
        ToolFailure failure = ToolFailure.of(ToolFailure.Kind.PERMISSION_DENIED, "not_yours", "ask ann")
                .withRetry(RetryAdvice.after(Duration.ofSeconds(3)));
        assertThat(failure(new ToolException(failure, new IOException("secret")))).isEqualTo(failure);
        assertThat(failure(new ToolException("no"))).isEqualTo(ToolFailure.of("no"));
    }

    static Stream<Arguments> mappings() {
        return Stream.of(
                Arguments.of(new IOException("disk full"), ToolFailure.Kind.IO, "tool_failed", "disk full",
                        true),
                Arguments.of(new FileNotFoundException("a.txt"), ToolFailure.Kind.IO, "tool_failed", "a.txt",
                        true),
                Arguments.of(new UncheckedIOException("reading", new IOException("secret")),
                        ToolFailure.Kind.IO, "tool_failed", "reading", true),
                Arguments.of(new RuntimeException("odd"), ToolFailure.Kind.EXECUTION, "tool_threw", "odd",
                        false),
                Arguments.of(new NullPointerException(), ToolFailure.Kind.EXECUTION, "tool_threw",
                        "NullPointerException", false),
                Arguments.of(new Exception("checked"), ToolFailure.Kind.EXECUTION, "tool_threw", "checked",
                        false),
                Arguments.of(new AssertionError("never"), ToolFailure.Kind.EXECUTION, "tool_threw", "never",
                        false),
                Arguments.of(new NoClassDefFoundError("a/B"), ToolFailure.Kind.EXECUTION, "tool_threw", "a/B",
                        false),
                Arguments.of(new StackOverflowError(), ToolFailure.Kind.EXECUTION, "tool_threw",
                        "StackOverflowError", false),
                Arguments.of(new InterruptedException("woken"), ToolFailure.Kind.EXECUTION, "tool_threw",
                        "woken", false));
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void whatIsThrownIsContainedAndTyped(Throwable thrown, ToolFailure.Kind kind, String code, String message,
            boolean retry) {
        assertThat(failure(thrown)).isEqualTo(new ToolFailure(kind, code, message, ToolFailure.Source.TOOL,
                retry ? RetryAdvice.ALLOWED : RetryAdvice.NEVER));
    }

    @Test
    void aRealStackOverflowIsContained() {
        assertThat(((Ended.With) run(RAW, Cancellation.NEVER, BodyRunnerTest::endless)).outcome().text())
                .isEqualTo("Error (tool_threw): StackOverflowError");
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Object endless() {
        return List.of(endless());
    }

    @Test
    void failureToDecodeArgumentsIsAnInvalidRequest() {
        assertThat(misread(RAW.effect(ToolEffect.READ))).isEqualTo(
                ToolFailure.of(ToolFailure.Kind.INVALID_REQUEST, "invalid_arguments",
                        "expected a number, found a string: \"x\""));
    }

    @Test
    void aOnceBodyThatMisreadsJsonIsNotToldAsWrongArguments() {
        assertThat(misread(RAW.effect(ToolEffect.ONCE))).isEqualTo(
                ToolFailure.of(ToolFailure.Kind.EXECUTION, "tool_threw",
                        "expected a number, found a string: \"x\""));
    }

    private static ToolFailure misread(ToolDefinition definition) {
        var ended = (Ended.With) run(definition, Cancellation.NEVER, () -> Json.of("{\"n\":\"x\"}")
                .get("n")
                .orElseThrow()
                .asInt());
        return ((ToolOutcome.Failure) ended.outcome()).failure();
    }

    record Receipt(String number) {
        @Override
        public String number() {
            throw new IllegalStateException("no number");
        }
    }

    record Lines(List<String> lines) {}

    @Test
    void anAnswerThatCannotBeWrittenMayHaveHappened() {
        List<String> lazy = new AbstractList<>() {
            @Override
            public String get(int index) {
                throw new UncheckedIOException(new IOException("connection closed"));
            }

            @Override
            public int size() {
                return 1;
            }
        };
        assertThat(unwritable(Receipt.class, new Receipt("1"))).isEqualTo("no number");
        assertThat(unwritable(Lines.class, new Lines(lazy))).isEqualTo("connection closed");
    }

    private static String unwritable(Class<?> output, Object answer) {
        ToolDefinition pay = ToolDefinition.typed(Lines.class, output, "pay", "Pays.");
        var ended = (Ended.With) run(pay, Cancellation.NEVER, () -> answer);
        ToolFailure failure = ((ToolOutcome.Failure) ended.outcome()).failure();
        assertThat(failure.code()).isEqualTo("invalid_tool_output");
        assertThat(failure.mayHaveHappened()).isTrue();
        return failure.message()
                .replace("tool pay returned a value that cannot be written: ", "")
                .replace("; its effect may have happened: find out before you try again", "");
    }

    @Test
    void errorsOfTheVirtualMachinePassThrough() {
        var fatal = new OutOfMemoryError("test");
        assertThatThrownBy(() -> run(RAW, Cancellation.NEVER, throwing(fatal))).isSameAs(fatal);
        var internal = new InternalError("test");
        assertThatThrownBy(() -> run(RAW, CANCELLED, throwing(internal))).isSameAs(internal);
    }

    static Stream<Named<Exception>> interruptions() {
        return Stream.of(
                Named.of("sleep", new InterruptedException("sleep interrupted")),
                Named.of("channel", new ClosedByInterruptException()),
                Named.of("stream", new InterruptedIOException("closed")));
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void interruptionAfterCancelIsCancelled(Exception interruption) {
        var ended = (Ended.With) run(RAW, CANCELLED, () -> {
            if (interruption instanceof ClosedByInterruptException) {
                Thread.currentThread().interrupt(); // as a channel does
            }
            throw interruption;
        });
        assertThat(ended.outcome()).isEqualTo(new ToolOutcome.Cancelled("the user pressed stop"));
        assertThat(ended.outcome().text()).isEqualTo("Cancelled: the user pressed stop");
    }

    @Test
    void theInterruptFlagIsRestored() {
        run(RAW, CANCELLED, throwing(new InterruptedException()));
        assertThat(Thread.interrupted()).isTrue();
        run(RAW, Cancellation.NEVER, throwing(new InterruptedException()));
        assertThat(Thread.interrupted()).isTrue();
        run(RAW, CANCELLED, throwing(new IOException()));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatIsNoInterruptionIsAFailureEvenAfterCancel() {
        assertThat(failure(new SocketTimeoutException("slow"), CANCELLED).kind()).isEqualTo(
                ToolFailure.Kind.IO);
        assertThat(failure(new IllegalStateException("odd"), CANCELLED).code()).isEqualTo("tool_threw");
        assertThat(run(RAW, CANCELLED, () -> "done")).isEqualTo(
                new Ended.With(new ToolOutcome.Success(Json.string("done"))));
    }

    @Test
    void checkThrowsOnlyWhenCancelled() throws Exception {
        Cancellation.NEVER.check();
        assertThat(Cancellation.NEVER.isRequested()).isFalse();
        assertThat(CANCELLED.isRequested()).isTrue();
        assertThatThrownBy(CANCELLED::check).isInstanceOf(InterruptedException.class)
                .hasMessage("the user pressed stop");
    }

    @Test
    void causesAndStackTracesNeverReachTheModel() {
        var cause = new IOException("password=hunter2");
        var thrown = new IllegalStateException("cannot pay", cause);
        thrown.addSuppressed(new RuntimeException("hidden"));
        String text = outcome(throwing(thrown)).text();
        assertThat(text).isEqualTo("Error (tool_threw): cannot pay");
    }

    @Test
    void whatIsThrownIsLoggedWithItsCausesAndStackTrace() {
        var thrown = new IllegalStateException("cannot pay", new IOException("password=hunter2"));
        try (var log = CapturedLog.of("dev.belay.tool", Level.WARN)) {
            outcome(throwing(thrown));
            assertThat(log.lines()).containsExactly(
                    new CapturedLog.Line(Level.WARN, "Tool pay threw", thrown));
        }
    }

    @Test
    void aPathAloneIsToldWithWhatIsWrongWithIt() {
        assertThat(outcome(throwing(new NoSuchFileException("notes.txt"))).text())
                .isEqualTo("Error (tool_failed): NoSuchFileException: notes.txt");
        assertThat(outcome(throwing(new FileSystemException("notes.txt", null, "Is a directory"))).text())
                .isEqualTo("Error (tool_failed): notes.txt: Is a directory");
    }

    static Stream<Arguments> rawValues() {
        return Stream.of(Arguments.of("text", "\"text\""),
                Arguments.of(CharBuffer.wrap("built"), "\"built\""),
                Arguments.of(true, "true"), Arguments.of(7, "7"),
                Arguments.of(1L << 60, "1152921504606846976"),
                Arguments.of(0.5, "0.5"), Arguments.of(new java.math.BigDecimal("1.50"), "1.50"),
                Arguments.of(Json.of("[ 1 ]"), "[ 1 ]"));
    }

    @ParameterizedTest
    @MethodSource("rawValues")
    void aRawBodyMayReturnPlainValues(Object value, String json) {
        assertThat(((ToolOutcome.Success) outcome(() -> value)).value().text()).isEqualTo(json);
    }

    @Test
    void aRawBodyMayNotReturnAnythingElse() {
        assertThat(outcome(() -> Map.of("a", 1))).isInstanceOfSatisfying(ToolOutcome.Failure.class,
                failed -> assertThat(failed.failure().code()).isEqualTo("invalid_tool_output"));
        assertThat(outcome(() -> Double.NaN).text()).isEqualTo(
                "Error (invalid_tool_output): tool pay returned what its own schema does not allow: expected a "
                        + "finite number, found NaN; its effect may have happened: find out before you try again");
    }

    @Test
    void whatOnlyWrapsItsCauseIsToldByTheCause() {
        assertThat(outcome(() -> {
            throw new UncheckedIOException(new FileNotFoundException("notes.txt"));
        }).text()).isEqualTo("Error (tool_failed): notes.txt");
        assertThat(outcome(() -> {
            throw new RuntimeException(new ExecutionException(new IllegalStateException("broken")));
        }).text()).isEqualTo("Error (tool_threw): broken");
        assertThat(outcome(() -> {
            throw new RuntimeException(new IllegalStateException());
        }).text()).isEqualTo("Error (tool_threw): IllegalStateException");
        assertThat(outcome(() -> {
            throw new RuntimeException(null, new IllegalStateException("broken"));
        }).text()).isEqualTo("Error (tool_threw): broken");
        assertThat(outcome(() -> {
            throw new UndeclaredThrowableException(new IOException("disk full"));
        }).text()).isEqualTo("Error (tool_threw): disk full");
        assertThat(outcome(() -> {
            throw new IllegalStateException("own words", new FileNotFoundException("notes.txt"));
        }).text()).isEqualTo("Error (tool_threw): own words");
    }
}
