package dev.belay.runtime.operate;

import dev.belay.runtime.store.SessionHead;
import org.jspecify.annotations.Nullable;

/**
 * A session in a list.
 *
 * @param head its name, turns, agent, labels and times
 * @param state how it stands
 * @param waits what its active turn waits for; null if it has none
 */
public record SessionEntry(SessionHead head, State state, @Nullable WaitsFor waits) {

    /** How a session stands. */
    public enum State {
        /** No turn is active. */
        IDLE,
        /** No turn is active, and it takes no inputs. */
        CLOSED,
        /** Its turn waits for a process that takes it. */
        READY,
        /** A process runs its turn. */
        RUNNING,
        /** Its turn waits for something outside, or for a time. */
        WAITING,
        /** Its turn waits for an operator. */
        STUCK
    }
}
