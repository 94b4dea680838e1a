package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.dispatch.call.PlacedCall;
import dev.belay.runtime.dispatch.call.RecordedJson;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The calls of one message, and where they stand.
 *
 * @param incarnation of the session, or of the calls themselves where there is none
 * @param turn number of the turn, 0 outside a session
 * @param round number of the round within the turn
 * @param calls in the model's order
 */
public record ToolBatch(Incarnation incarnation, long turn, long round, List<CallRequest> calls) {

    /** At most this many calls of a message are run; the rest are {@code too_many_calls}. */
    public static final int MOST_CALLS = 1_024;

    /** Copies the calls. */
    public ToolBatch {
        calls = List.copyOf(calls);
    }

    /** The form in which it is recorded; pinned by a golden file. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordedJson.VERSION);
            out.name("incarnation").value(incarnation.toString());
            out.name("turn").value(turn).name("round").value(round);
            out.name("calls").beginArray();
            calls.forEach(call -> write(out, call));
            out.endArray().endObject();
        });
    }

    /** The batch of a record; {@code journal_corrupt} if it is none. */
    public static ToolBatch of(Json recorded) {
        return RecordedJson.read("batch of calls", recorded, () -> new ToolBatch(
                Incarnation.parse(RecordedJson.text(recorded, "incarnation")),
                RecordedJson.field(recorded, "turn").asLong(),
                RecordedJson.field(recorded, "round").asLong(),
                RecordedJson.field(recorded, "calls").items().stream().map(ToolBatch::request).toList()));
    }

    /** The calls with ids of their own: a missing or repeated one becomes {@code call_<round>_<index>}. */
    public List<PlacedCall> placed() {
        Set<String> used = new HashSet<>();
        var placed = new ArrayList<PlacedCall>(calls.size());
        for (CallRequest call : calls) {
            int index = placed.size();
            CallId given = call.id();
            String id = given == null ? "" : given.value();
            for (int n = 0; id.isEmpty() || !used.add(id); n++) {
                id = CallId.of(round, index) + (n == 0 ? "" : "_" + n);
            }
            placed.add(new PlacedCall(new IdempotencyKey.Place(incarnation, turn, round, index),
                    new CallId(id), call.name(), call.arguments(), call.cut()));
        }
        return placed;
    }

    private static void write(JsonWriter out, CallRequest call) {
        out.beginObject();
        CallId id = call.id();
        if (id != null) {
            out.name("id").value(id.value());
        }
        out.name("name").value(call.name()).name("arguments").value(call.arguments());
        PlacedCall.writeCut(out, call.cut());
        out.endObject();
    }

    private static CallRequest request(Json recorded) {
        return new CallRequest(
                RecordedJson.optionalText(recorded, "id").map(CallId::new).orElse(null),
                RecordedJson.text(recorded, "name"), RecordedJson.text(recorded, "arguments"),
                recorded.get(PlacedCall.CUT).isPresent());
    }
}
