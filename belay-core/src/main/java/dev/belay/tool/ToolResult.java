package dev.belay.tool;

import dev.belay.tool.context.PendingCompletion;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a body may return instead of a plain value.
 *
 * @param <O> the output type
 */
public sealed interface ToolResult<O extends @Nullable Object> {

    /**
     * The call is done.
     *
     * @param value the output
     * @param <O> the output type
     */
    record Done<O extends @Nullable Object>(O value) implements ToolResult<O> {}

    /**
     * The call failed; that is data for the model.
     *
     * @param failure how
     * @param <O> the output type
     */
    record Failed<O extends @Nullable Object>(ToolFailure failure) implements ToolResult<O> {

        /** Refuses null. */
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * The call goes on elsewhere and will be completed through its completion key.
     *
     * @param completion how it waits
     * @param <O> the output type
     */
    record Pending<O extends @Nullable Object>(PendingCompletion completion) implements ToolResult<O> {

        /** Refuses null. */
        public Pending {
            Objects.requireNonNull(completion, "completion");
        }
    }

    /**
     * The call is done, and so is the turn it is in.
     *
     * @param value the output, and what the turn ends with
     * @param <O> the output type
     */
    record Finish<O extends @Nullable Object>(O value) implements ToolResult<O> {}

    /**
     * The call failed, and so has the turn it is in.
     *
     * @param failure how
     * @param <O> the output type
     */
    record Fail<O extends @Nullable Object>(ToolFailure failure) implements ToolResult<O> {

        /** Refuses null. */
        public Fail {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * The call is not allowed, and was not run.
     *
     * @param reason why, in words for the model
     * @param <O> the output type
     */
    record Rejected<O extends @Nullable Object>(String reason) implements ToolResult<O> {

        /** Refuses null. */
        public Rejected {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Ends as not allowed, in words for the model; for code that decides before it does anything. */
    static <O extends @Nullable Object> ToolResult<O> rejected(String reason) {
        return new Rejected<>(reason);
    }

    /** Ends with a value. */
    static <O extends @Nullable Object> ToolResult<O> ok(O value) {
        return new Done<>(value);
    }

    /** Ends with a failure of class Execution. */
    static <O extends @Nullable Object> ToolResult<O> failure(String message) {
        return new Failed<>(ToolFailure.of(message));
    }

    /** Ends with a failure. */
    static <O extends @Nullable Object> ToolResult<O> failure(ToolFailure failure) {
        return new Failed<>(failure);
    }

    /** Ends with a value, and ends the turn with it, once every call of the same message has ended. */
    static <O extends @Nullable Object> ToolResult<O> finish(O value) {
        return new Finish<>(value);
    }

    /** Ends with a failure, and ends the turn with it, once every call of the same message has ended. */
    static <O extends @Nullable Object> ToolResult<O> fail(ToolFailure failure) {
        return new Fail<>(failure);
    }

    /** Parks, for ever. */
    static <O extends @Nullable Object> ToolResult<O> pending() {
        return new Pending<>(PendingCompletion.DEFAULT);
    }

    /** Parks. */
    static <O extends @Nullable Object> ToolResult<O> pending(PendingCompletion completion) {
        return new Pending<>(completion);
    }
}
