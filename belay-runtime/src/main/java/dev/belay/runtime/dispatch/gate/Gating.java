package dev.belay.runtime.dispatch.gate;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.policy.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a gate may know of the owner of a call. A method that is not overridden says nothing. Thread-safe. */
public interface Gating {

    /** Of a call outside any session. */
    Gating NONE = new Gating() {};

    /**
     * A session above that of the call.
     *
     * @param session its name
     * @param agent its agent, or null if it was deleted
     */
    record Above(String session, @Nullable String agent) {}

    /** The session of the call, or null. */
    default @Nullable String session() {
        return null;
    }

    /** The sessions by which the session of the call was made, the topmost first. */
    default List<Above> above() {
        return List.of();
    }

    /** Whether the sessions above have policies, wherever those are defined. */
    default boolean isGatedAbove() {
        return false;
    }

    /** The agent of the session whose call started the process of this call, or null for a call of a session or a program. */
    default @Nullable String startedBy() {
        return null;
    }

    /** Whether a tool was taken from the session since the batch of the call began. */
    default boolean isTaken(String tool) {
        return false;
    }

    /** Whether the session has calls that may have happened and are not settled. */
    default boolean isInDoubt() {
        return false;
    }

    /** How many calls of the same tool stand before this one in its turn, in the model's order. */
    default int earlier(CallReference call) {
        return 0;
    }

    /** How often the same call, with the same arguments, was denied or failed in earlier rounds of its turn. */
    default int failures(CallReference call) {
        return 0;
    }

    /** Approvals that hold for further calls of the session. */
    default List<Grant> grants() {
        return List.of();
    }
}
