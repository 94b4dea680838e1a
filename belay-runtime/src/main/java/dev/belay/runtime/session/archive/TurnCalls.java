package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.turn.RoundRecord;
import dev.belay.runtime.session.turn.SessionEngine;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the calls of a turn from its records. */
public final class TurnCalls {

    private final long turn;
    private final Map<String, EffectRow> rows = new HashMap<>();
    private final Map<String, Resolution> settled = new HashMap<>();

    private TurnCalls(SessionEngine engine, ScopeId scope, long turn) {
        this.turn = turn;
        engine.store().journal().effects(scope).forEach(row -> rows.put(row.key(), row));
        for (WaitState wait : engine.host().waits(scope)) {
            Resolution resolution = wait.resolution();
            if (resolution != null) {
                settled.put(wait.name().value(), resolution);
            }
        }
    }

    /** The calls of a turn, in their order; those whose records are gone are not among them. */
    public static List<TurnCall> of(SessionEngine engine, ScopeId scope, long turn) {
        return new TurnCalls(engine, scope, turn).read();
    }

    private List<TurnCall> read() {
        List<TurnCall> calls = new ArrayList<>();
        EffectRow row = rows.get("round/1");
        for (int round = 1; row != null; row = rows.get("round/" + ++round)) {
            Json result = row.result();
            ModelResponse reply = result == null ? null : RoundRecord.of(result).reply();
            if (reply == null) {
                continue;
            }
            for (CallPart part : reply.message().withCallIds(round).calls()) {
                calls.add(call(round, calls(calls, round), part));
            }
        }
        return calls;
    }

    private static int calls(List<TurnCall> calls, int round) {
        return (int) calls.stream().filter(call -> call.round() == round).count();
    }

    private TurnCall call(int round, int index, CallPart part) {
        RecordedOutcome.Standing standing;
        try {
            standing = RecordedOutcome.standing(rows, settled, turn, round, index);
        } catch (BelayException unreadable) {
            standing = new RecordedOutcome.Standing.Begun();
        }
        return switch (standing) {
            case RecordedOutcome.Standing.Nothing nothing -> call(round, index, part, TurnCall.State.PENDING);
            case RecordedOutcome.Standing.Begun begun -> call(round, index, part, TurnCall.State.STARTED);
            case RecordedOutcome.Standing.Waits waits -> call(round, index, part, TurnCall.State.WAITING);
            case RecordedOutcome.Standing.Known(var outcome) -> new TurnCall(round, index, part.id(),
                    part.name(), part.arguments(), TurnCall.State.ENDED, outcome);
        };
    }

    private static TurnCall call(int round, int index, CallPart part, TurnCall.State state) {
        return new TurnCall(round, index, part.id(), part.name(), part.arguments(), state, null);
    }
}
