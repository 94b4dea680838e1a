package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.context.Fence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The recorded state of a scope.
 *
 * @param id of the scope
 * @param input of the scope
 * @param status of the scope
 * @param fence how often it was taken
 * @param entries how often it was entered since its last record
 * @param cancelReason why it should end, or null
 * @param wakeAt when a parked scope goes on by itself, or null
 * @param stuckBecause why it is stuck, or null
 * @param result its result once it has ended, or null
 */
public record ScopeState(ScopeId id, ScopeInput input, Status status, Fence fence, int entries,
        @Nullable String cancelReason, @Nullable Instant wakeAt, @Nullable String stuckBecause,
        @Nullable Json result) {

    /** Whether a scope runs, waits, is stuck or has ended. */
    public enum Status {
        /** Has work and no owner. */
        READY,
        /** Has an owner, which may be dead. */
        RUNNING,
        /** Waits, and costs nothing. */
        PARKED,
        /** Is not entered until an operator decides. */
        STUCK,
        /** Has a result. */
        ENDED
    }

    /** Whether it has a result. */
    public boolean isEnded() {
        return status == Status.ENDED;
    }

    /** Whether it will not go on by itself. */
    public boolean isSettled() {
        return status == Status.STUCK || status == Status.ENDED;
    }

    /** The reason of a scope that is stuck because it was entered too often. */
    public static String enteredTooOften(int times, String fault) {
        return "entered " + times + " times without a new record"
                + (fault.isEmpty() ? "" : "; the last time it ended by " + fault);
    }
}
