package dev.belay.runtime.operate;

import dev.belay.runtime.store.SessionHead;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session in a list.
 *
 * @param head its name, turns, agent, labels and times
 * @param state how it stands
 * @param waits what its active turn waits for; null if it has none
 */
public record SessionEntry(SessionHead head, State state, @Nullable Waits waits) {

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

    /**
     * What a turn waits for.
     *
     * @param what for what
     * @param since when
     * @param until when it goes on in any case, or null
     * @param detail the agent, the names of the waits, or an empty text
     */
    public record Waits(For what, Instant since, @Nullable Instant until, String detail) {}

    /** For what a turn waits. */
    public enum For {
        /** A process that defines its agent and takes it: the turn is ready, or its process has died. */
        PROCESS,
        /** The same, and this runtime does not define its agent. */
        AGENT,
        /** The model, or calls that run: a living process is at work. */
        WORK,
        /** The program that owns its loop. */
        PROGRAM,
        /** The completion of a call. */
        COMPLETION,
        /** An event. */
        EVENT,
        /** A time. */
        TIME,
        /** An operator, who retries or abandons it. */
        OPERATOR
    }
}
