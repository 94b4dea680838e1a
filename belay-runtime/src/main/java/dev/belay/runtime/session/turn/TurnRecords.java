package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.dispatch.record.RecordedScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.store.journal.EffectRow;
import org.jspecify.annotations.Nullable;

/**
 * The records of one turn as they were read. Immutable.
 *
 * @param turn its number
 * @param scope its effects and waits
 */
public record TurnRecords(long turn, RecordedScope scope) {

    /** Reads the records of a turn. */
    public static TurnRecords of(TurnServices services, ScopeId scope, long turn) {
        return new TurnRecords(turn, RecordedScope.of(services.host(), scope));
    }

    /** Whether a round was begun, recorded or not. */
    public boolean hasRound(int number) {
        return scope.rows().containsKey("round/" + number);
    }

    /** The record of a round; null if there is none. */
    public @Nullable Json round(int number) {
        EffectRow row = scope.rows().get("round/" + number);
        return row == null ? null : row.result();
    }

    /** The arguments of a call about which a person was asked; null if none was. */
    public @Nullable AskedArguments asked(int round, int index) {
        return AskedAnswer.arguments(scope, PlacedCall.path(turn, round, index));
    }

    /** How a call stands. */
    public RecordedOutcome.Standing standing(int round, int index) {
        return RecordedOutcome.standing(scope, turn, round, index);
    }
}
