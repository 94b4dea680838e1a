package dev.belay.tool.call;

import dev.belay.json.JsonMismatchException;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.context.Suspended;
import dev.belay.tool.context.TurnControl;
import dev.belay.tool.option.RetryAdvice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body and turns whatever comes out of it into an outcome. What a body throws is contained here and nowhere else; only
 * an error of the virtual machine and {@link Suspended} go through.
 */
public final class BodyRunner {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool");

    /** Failures of bodies that have answered, but not as their tool promises. */
    private static final Set<String> BROKEN_PROMISES = Set.of("invalid_tool_output",
            "pending_tool_missing_completion_key", "tool_deferral_not_declared");

    /** How a body ended. */
    public sealed interface Ended {

        /**
         * With an outcome.
         *
         * @param outcome which
         * @param control what it wants of the turn
         */
        record With(ToolOutcome outcome, TurnControl control) implements Ended {

            /** One that leaves the turn alone. */
            public With(ToolOutcome outcome) {
                this(outcome, TurnControl.GO_ON);
            }
        }

        /**
         * It wants to be completed later.
         *
         * @param completion how it waits
         */
        record Parked(PendingCompletion completion) implements Ended {}
    }

    private BodyRunner() {}

    /**
     * Runs a body on this thread.
     *
     * @param definition whose body it is
     * @param cancellation whether an interruption means that the call was cancelled
     * @param body returns a value or a {@link ToolResult}
     */
    public static Ended run(ToolDefinition definition, Cancellation cancellation,
            Callable<@Nullable Object> body) {
        try {
            return switch (body.call()) {
                case ToolResult.Done<?>(var value) -> new Ended.With(success(definition, value));
                case ToolResult.Failed<?>(var failure) -> new Ended.With(new ToolOutcome.Failure(failure));
                case ToolResult.Rejected<?>(var reason) -> new Ended.With(new ToolOutcome.Rejected(reason));
                case ToolResult.Pending<?>(var completion) -> new Ended.Parked(completion);
                case ToolResult.Finish<?>(var value) ->
                    new Ended.With(success(definition, value), TurnControl.FINISH);
                case ToolResult.Fail<?>(var failure) ->
                    new Ended.With(new ToolOutcome.Failure(failure), TurnControl.FAIL);
                case null -> new Ended.With(success(definition, null));
                case Object value -> new Ended.With(success(definition, value));
            };
        } catch (Suspended waiting) {
            throw waiting;
        } catch (Throwable e) {
            return new Ended.With(contain(definition, cancellation, e));
        }
    }

    /** Runs a body where nothing can be parked or cancelled. */
    public static ToolOutcome runPlain(ToolDefinition definition, Callable<@Nullable Object> body) {
        return switch (run(definition, Cancellation.NEVER, body)) {
            case Ended.With(ToolOutcome outcome, TurnControl control) -> outcome;
            case Ended.Parked parked -> refused(definition,
                    ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "pending_tool_missing_completion_key",
                            "tool " + definition.name()
                                    + " wants to be completed later, which needs a session"));
        };
    }

    /** The outcome of a value, which must satisfy the output schema; {@code invalid_tool_output} otherwise. */
    public static ToolOutcome success(ToolDefinition definition, @Nullable Object value) {
        return new ToolOutcome.Success(definition.output(value));
    }

    /** The outcome of a body whose answer cannot be used. The body has run, so the effect of a {@code ONCE} tool may have happened. */
    public static ToolOutcome refused(ToolDefinition definition, ToolFailure failure) {
        return new ToolOutcome.Failure(definition.manifest().effect() == ToolEffect.ONCE
                ? failure.thatMayHaveHappened()
                : failure);
    }

    /** Whether a failure stands for an answer of the body, which then is not in doubt. */
    public static boolean isAnswer(ToolFailure failure) {
        return BROKEN_PROMISES.contains(failure.code());
    }

    private static ToolOutcome contain(ToolDefinition definition, Cancellation cancellation,
            Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        Optional<String> cancelled = isInterruption(thrown) ? cancellation.reason() : Optional.empty();
        if (cancelled.isPresent()) {
            return new ToolOutcome.Cancelled(cancelled.get());
        }
        log(definition, thrown);
        ToolFailure failure = failure(definition, thrown);
        return isAnswer(failure) ? refused(definition, failure) : new ToolOutcome.Failure(failure);
    }

    /** A tool that says no by an exception is no fault; one that breaks, or breaks its promise, is. */
    private static void log(ToolDefinition definition, Throwable thrown) {
        if (thrown instanceof ToolException described && described.getCause() == null
                && described.failure().source() == ToolFailure.Source.TOOL) {
            LOG.debug("Tool {} failed: {}", definition.name(), described.failure());
        } else {
            LOG.warn("Tool {} threw", definition.name(), thrown);
        }
    }

    /** Blocking I/O answers an interrupt each in its own way; a socket's timeout only looks like one. */
    private static boolean isInterruption(Throwable thrown) {
        return switch (thrown) {
            case InterruptedException interrupted -> true;
            case SocketTimeoutException timeout -> false;
            case InterruptedIOException interrupted -> true;
            case IOException closed -> Thread.currentThread().isInterrupted();
            default -> false;
        };
    }

    /** The JSON of a {@code ONCE} body may be an answer to what it has done; a model must not call again with other arguments. */
    private static boolean mayBlameArguments(ToolDefinition definition) {
        return !definition.codec().checksItself() && definition.manifest().effect() != ToolEffect.ONCE;
    }

    private static ToolFailure failure(ToolDefinition definition, Throwable thrown) {
        String message = Wording.of(thrown);
        return switch (thrown) {
            case ToolException described -> described.failure();
            case IOException io -> ToolFailure.of(ToolFailure.Kind.IO, "tool_failed", message)
                    .withRetry(RetryAdvice.ALLOWED);
            case UncheckedIOException io -> ToolFailure.of(ToolFailure.Kind.IO, "tool_failed", message)
                    .withRetry(RetryAdvice.ALLOWED);
            // a raw body takes its arguments apart itself; a typed one was given what fits, so its JSON is something else
            case JsonMismatchException decode when mayBlameArguments(definition) -> ToolFailure.of(
                    ToolFailure.Kind.INVALID_REQUEST, "invalid_arguments", message);
            default -> ToolFailure.of(ToolFailure.Kind.EXECUTION, "tool_threw", message);
        };
    }
}
