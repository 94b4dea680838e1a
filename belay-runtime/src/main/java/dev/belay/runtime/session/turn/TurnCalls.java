package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.law.SessionReads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the calls of a turn, and writes the ledger of them. */
public final class TurnCalls {

    private final TurnRecords records;

    private TurnCalls(TurnRecords records) {
        this.records = records;
    }

    /** The calls of a turn, in their order: from the ledger once it was committed, from its records before. */
    public static List<TurnCall> of(TurnServices services, SessionId session, ScopeId scope, long turn) {
        boolean committed = services.store()
                .read(SessionReads.turn(session, turn))
                .map(TurnRow::end)
                .isPresent();
        return committed
                ? services.store().calls(session, turn).stream().map(TurnCalls::read).toList()
                : of(TurnRecords.of(services, scope, turn));
    }

    /** The calls of a turn, in their order, as its records say. */
    public static List<TurnCall> of(TurnRecords records) {
        return new TurnCalls(records).read();
    }

    /** Calls of a turn of which some asked a person, with the arguments of those. */
    static List<TurnCall> withAsked(List<TurnCall> calls, TurnRecords records) {
        var read = new TurnCalls(records);
        return calls.stream()
                .map(call -> new TurnCall(call.round(), call.index(), call.id(), call.tool(),
                        call.arguments(), call.state(), call.known(),
                        read.asked(call.round(), call.index())))
                .toList();
    }

    /** The rows of the ledger. */
    static List<Json> rows(List<TurnCall> calls) {
        List<Json> rows = new ArrayList<>(calls.size());
        calls.forEach(call -> rows.add(row(call)));
        return rows;
    }

    /** Its form is pinned by a golden file. */
    private static Json row(TurnCall call) {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            out.name("round").value(call.round()).name("index").value(call.index());
            out.name("id").value(call.id()).name("tool").value(call.tool());
            out.name("arguments").value(call.arguments()).name("state").value(call.state().name());
            call.outcome().ifPresent(outcome -> OutcomeJson.write(out.name("outcome"), outcome));
            if (call.asked() != null) {
                out.name("asked").value(call.asked().toJson());
            }
            out.endObject();
        });
    }

    private static TurnCall read(Json row) {
        return RecordReader.versioned("call in the ledger", row,
                () -> new TurnCall(RecordReader.field(row, "round").asInt(),
                        RecordReader.field(row, "index").asInt(), RecordReader.field(row, "id").asString(),
                        RecordReader.field(row, "tool").asString(),
                        RecordReader.field(row, "arguments").asString(),
                        TurnCall.State.valueOf(RecordReader.field(row, "state").asString()),
                        row.get("outcome").map(OutcomeJson::outcome).orElse(null),
                        row.get("asked").map(AskedArguments::of).orElse(null)));
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
                    part.name(), part.arguments(), TurnCall.State.ENDED, outcome, asked(round, index));
        };
    }

    private TurnCall call(int round, int index, CallPart part, TurnCall.State state) {
        return new TurnCall(round, index, part.id(), part.name(), part.arguments(), state, null,
                asked(round, index));
    }

    private @Nullable AskedArguments asked(int round, int index) {
        try {
            return records.asked(round, index);
        } catch (BelayException unreadable) {
            return null;
        }
    }
}
