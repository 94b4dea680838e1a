package dev.belay.tool.context;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a parked call waits for its completion.
 *
 * @param deadline not longer than this, or null for ever
 * @param onTimeout what happens then
 * @param onCancel what happens when the turn is cancelled meanwhile
 * @param announcement told to the user if and only if the call parked, or null
 */
public record PendingCompletion(@Nullable Instant deadline, OnTimeout onTimeout, OnCancel onCancel,
        @Nullable String announcement) {

    /** Waits for ever, says nothing. */
    public static final PendingCompletion DEFAULT = new PendingCompletion(null, OnTimeout.ERROR_AS_RESULT,
            OnCancel.CANCEL_EXTERNAL_WORK, null);

    /** What a timeout means. */
    public enum OnTimeout {
        /** The model is told {@code tool_completion_timeout}. */
        ERROR_AS_RESULT,
        /** The turn fails. */
        FAIL_TURN
    }

    /** What a cancellation means for the work outside. */
    public enum OnCancel {
        /** The tool's callback is called. */
        CANCEL_EXTERNAL_WORK,
        /** It is left alone. */
        IGNORE
    }

    /** The same with a deadline. */
    public PendingCompletion until(Instant newDeadline) {
        return new PendingCompletion(newDeadline, onTimeout, onCancel, announcement);
    }

    /** The same with another rule for timeouts. */
    public PendingCompletion onTimeout(OnTimeout rule) {
        return new PendingCompletion(deadline, rule, onCancel, announcement);
    }

    /** The same with another rule for cancellation. */
    public PendingCompletion onCancel(OnCancel rule) {
        return new PendingCompletion(deadline, onTimeout, rule, announcement);
    }

    /** The same with an announcement. */
    public PendingCompletion announcing(String text) {
        return new PendingCompletion(deadline, onTimeout, onCancel, text);
    }
}
