package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a turn leaves behind.
 *
 * @param session whose turn
 * @param turn its number; the session's revision is one less
 * @param receipt a hash of all of this; the same turn committed again with the same receipt is the same commit
 * @param messages to be appended
 * @param state the session's new state, or null if it has not changed
 * @param result how the turn ended; also the result of its scope
 * @param taken ids of the arrivals that are in this turn, the one that started it included
 * @param calls rows of the ledger: one for each call of the turn, in the order of its rounds
 * @param doubts to be opened: records of the turn that will not go on and may have happened
 * @param queued inputs that the turn leaves to its session; they wait behind those that are there
 */
public record TurnCommit(SessionId session, long turn, String receipt, List<Json> messages,
        @Nullable Json state, Json result, List<String> taken, List<Json> calls,
        List<OpenDoubt.Of> doubts, List<Arrival> queued) {

    /** One of a turn without calls. */
    public TurnCommit(SessionId session, long turn, String receipt, List<Json> messages, @Nullable Json state,
            Json result, List<String> taken) {
        this(session, turn, receipt, messages, state, result, taken, List.of());
    }

    /** One of a turn that has no doubts to open. */
    public TurnCommit(SessionId session, long turn, String receipt, List<Json> messages, @Nullable Json state,
            Json result, List<String> taken, List<Json> calls) {
        this(session, turn, receipt, messages, state, result, taken, calls, List.of(), List.of());
    }

    /** Copies the lists. */
    public TurnCommit {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(receipt, "receipt");
        Objects.requireNonNull(result, "result");
        messages = List.copyOf(messages);
        taken = List.copyOf(taken);
        calls = List.copyOf(calls);
        doubts = List.copyOf(doubts);
        queued = List.copyOf(queued);
    }
}
