package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.session.TurnCall;
import java.util.ArrayList;
import java.util.List;

/** Reads the calls of a turn from its records. */
public final class TurnCalls {

    private final TurnRecords records;

    private TurnCalls(TurnRecords records) {
        this.records = records;
    }

    /** The calls of a turn, in their order; calls whose records are gone are not among them. */
    public static List<TurnCall> of(TurnRecords records) {
        return new TurnCalls(records).read();
    }

    private List<TurnCall> read() {
        List<TurnCall> calls = new ArrayList<>();
        for (int round = 1; records.hasRound(round); round++) {
            Json result = records.round(round);
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
            standing = records.standing(round, index);
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
