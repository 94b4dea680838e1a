package dev.belay.runtime.session;

import dev.belay.runtime.policy.AskedArguments;
import dev.belay.tool.ToolOutcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of a turn, according to its records.
 *
 * @param round the round it is in, from 1
 * @param index its place in the message, from 0
 * @param id what the model calls it
 * @param tool the name that the model said
 * @param arguments the text that it sent
 * @param state how it stands
 * @param known its outcome; null until it has one
 * @param asked its arguments if a person was asked about it, else null
 */
public record TurnCall(int round, int index, String id, String tool, String arguments, State state,
        @Nullable ToolOutcome known, @Nullable AskedArguments asked) {

    /** A call about which no person was asked. */
    public TurnCall(int round, int index, String id, String tool, String arguments, State state,
            @Nullable ToolOutcome known) {
        this(round, index, id, tool, arguments, state, known, null);
    }

    /** How a call stands. */
    public enum State {
        /** Nothing of it is recorded: it is about to begin, runs without a record of its start, or waits for its turn. */
        PENDING,
        /** Its body was started; if its process is dead, it will be in doubt or run again. */
        STARTED,
        /** It waits to be completed from outside. */
        WAITING,
        /** It has an outcome. */
        ENDED
    }

    /** How it ended; empty unless it has. */
    public Optional<ToolOutcome> outcome() {
        return Optional.ofNullable(known);
    }
}
