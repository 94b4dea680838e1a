package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.context.Fence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a scope.
 *
 * @param id which
 * @param input what it started from
 * @param status how it stands
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

    /** How a scope stands. */
    public enum Status {
        /** Has work and no owner. */
        READY,
        /** Has an owner, who may be dead. */
        RUNNING,
        /** Waits, and costs nothing. */
        PARKED,
        /** Is not entered until somebody decides. */
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

    /** Why a scope is stuck that was entered too often. */
    public static String enteredTooOften(int times, String fault) {
        return "entered " + times + " times without a new record"
                + (fault.isEmpty() ? "" : "; the last time it ended by " + fault);
    }
}
