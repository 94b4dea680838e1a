package dev.belay.tool.context;

import java.util.Optional;

/** Whether the call should end. The body's thread is interrupted too; this is for loops that do not block. */
public interface Cancellation {

    /** Never cancelled. */
    Cancellation NEVER = Optional::empty;

    /** Why the call should end, if it should. */
    Optional<String> reason();

    /** Whether the call should end. */
    default boolean isRequested() {
        return reason().isPresent();
    }

    /** Throws if the call should end; the outcome is then "cancelled". */
    default void check() throws InterruptedException {
        Optional<String> reason = reason();
        if (reason.isPresent()) {
            throw new InterruptedException(reason.get());
        }
    }
}
