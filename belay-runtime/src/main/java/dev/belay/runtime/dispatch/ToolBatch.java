package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calls of one message, and where they stand.
 *
 * @param incarnation of the session, or of the calls themselves where there is none
 * @param turn number of the turn, 0 outside a session
 * @param round number of the round within the turn
 * @param calls in the model's order
 * @param context of the caller that asked for them, by the names that its carriers gave; empty in a turn, which has its own
 */
public record ToolBatch(Incarnation incarnation, long turn, long round, List<CallRequest> calls,
        Map<String, String> context) {

    /** At most this many calls of a message are run; the rest are {@code too_many_calls}. */
    public static final int MOST_CALLS = 1_024;

    /** Copies calls and context. */
    public ToolBatch {
        calls = List.copyOf(calls);
        context = Map.copyOf(context);
    }

    /** A batch without a context of its own. */
    public ToolBatch(Incarnation incarnation, long turn, long round, List<CallRequest> calls) {
        this(incarnation, turn, round, calls, Map.of());
    }

    /** The form in which it is recorded; pinned by a golden file. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            out.name("incarnation").value(incarnation.toString());
            out.name("turn").value(turn).name("round").value(round);
            out.name("calls").beginArray();
            calls.forEach(call -> write(out, call));
            out.endArray();
            if (!context.isEmpty()) {
                out.name("context").beginObject();
                new TreeMap<>(context).forEach((name, text) -> out.name(name).value(text, RecordReader.HALF));
                out.endObject();
            }
            out.endObject();
        });
    }

    /** The batch of a record; {@code journal_corrupt} if it is none. */
    public static ToolBatch of(Json recorded) {
        return RecordReader.versioned("batch of calls", recorded, () -> new ToolBatch(
                Incarnation.parse(RecordReader.text(recorded, "incarnation")),
                RecordReader.field(recorded, "turn").asLong(),
                RecordReader.field(recorded, "round").asLong(),
                RecordReader.field(recorded, "calls").items().stream().map(ToolBatch::request).toList(),
                context(recorded)));
    }

    private static Map<String, String> context(Json recorded) {
        Map<String, String> context = new TreeMap<>();
        recorded.get("context")
                .ifPresent(kept -> kept.fields().forEach((name, text) -> context.put(name, text.asString())));
        return context;
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
        String id = RecordReader.optionalText(recorded, "id");
        return new CallRequest(id == null ? null : new CallId(id),
                RecordReader.text(recorded, "name"), RecordReader.text(recorded, "arguments"),
                recorded.get(PlacedCall.CUT).isPresent());
    }
}
