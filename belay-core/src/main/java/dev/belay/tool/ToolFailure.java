package dev.belay.tool;

import dev.belay.tool.option.RetryAdvice;
import java.util.Objects;

/**
 * A fault, described for the model and for the retry policy.
 *
 * @param kind its class
 * @param code a stable string in {@code this_form}
 * @param message what was wrong and what to do, written for a model
 * @param source where it arose
 * @param retry whether the same call may be tried again
 * @param mayHaveHappened whether the effect may have taken place although the call says it failed
 */
public record ToolFailure(Kind kind, String code, String message, Source source, RetryAdvice retry,
        boolean mayHaveHappened) {

    private static final String MAY_HAVE_HAPPENED = "its effect may have happened: find out before you try again";

    /** Classes of failures. */
    public enum Kind {
        /** The request itself is wrong. */
        INVALID_REQUEST,
        /** Reading or writing failed. */
        IO,
        /** Something needed is not there now. */
        UNAVAILABLE,
        /** Not allowed. */
        PERMISSION_DENIED,
        /** Took too long. */
        TIMEOUT,
        /** The body failed. */
        EXECUTION,
        /** A service behind the tool failed. */
        EXTERNAL,
        /** A limit was reached. */
        RESOURCE_LIMIT,
        /** Belay or the tool broke its own contract. */
        INTERNAL
    }

    /** Where failures arise. */
    public enum Source {
        /** In the tool. */
        TOOL,
        /** In Belay. */
        RUNTIME,
        /** In a plugin. */
        PLUGIN,
        /** In a policy. */
        POLICY,
        /** By cancellation. */
        CANCELLATION
    }

    /** Refuses blank codes. */
    public ToolFailure {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(retry, "retry");
        if (!code.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("a code is written in_this_form, found \"" + code + "\"");
        }
    }

    /** A failure without a sign that its effect took place. */
    public ToolFailure(Kind kind, String code, String message, Source source, RetryAdvice retry) {
        this(kind, code, message, source, retry, false);
    }

    /** A failure that a tool reports of itself: class Execution, code {@code tool_failed}, no retry. */
    public static ToolFailure of(String message) {
        return new ToolFailure(Kind.EXECUTION, "tool_failed", message, Source.TOOL, RetryAdvice.NEVER);
    }

    /** A failure that a tool reports of itself, with a class and code of its own. */
    public static ToolFailure of(Kind kind, String code, String message) {
        return new ToolFailure(kind, code, message, Source.TOOL, RetryAdvice.NEVER);
    }

    /** A failure that Belay found before or around the body. */
    public static ToolFailure ofRuntime(Kind kind, String code, String message) {
        return new ToolFailure(kind, code, message, Source.RUNTIME, RetryAdvice.NEVER);
    }

    /** The same with other advice. */
    public ToolFailure withRetry(RetryAdvice advice) {
        return new ToolFailure(kind, code, message, source, advice, mayHaveHappened);
    }

    /** The same with an unknown effect: the message says that the effect may have taken place, and a retry is forbidden. */
    public ToolFailure thatMayHaveHappened() {
        return mayHaveHappened
                ? this
                : new ToolFailure(kind, code, message + "; " + MAY_HAVE_HAPPENED, source, RetryAdvice.NEVER,
                        true);
    }

    /** A call that started and left no outcome: its effect may have taken place. */
    public static ToolFailure inDoubt(String what) {
        return ofRuntime(Kind.INTERNAL, "in_doubt", what).thatMayHaveHappened();
    }
}
