package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.ToolId;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;

/**
 * One call of a batch, with its place: all that a child scope starts from.
 *
 * @param place where it stands
 * @param id its own, also if the model said none
 * @param name the tool
 * @param arguments the text sent as arguments
 * @param cut whether the model's answer was cut before the arguments
 */
public record PlacedCall(IdempotencyKey.Place place, CallId id, String name, String arguments, boolean cut) {

    /** The kind of a scope that runs one call. */
    public static final String KIND = "call/1";

    /** A field that only a call has that was cut; names the finish reason. */
    public static final String CUT = "cut";

    /** In the order in which they are written. */
    private static final String[] FIELDS = {"v", "incarnation", "turn", "round", "position", "name",
        "arguments", CUT, "id"};

    /** A whole call. */
    public PlacedCall(IdempotencyKey.Place place, CallId id, String name, String arguments) {
        this(place, id, name, arguments, false);
    }

    /** The name of the effect that this call intends. */
    public IdempotencyKey key(ToolId tool) {
        return IdempotencyKey.of(place, tool);
    }

    public ScopeInput input() {
        return new ScopeInput(KIND, Json.write(out -> {
            out.beginObject().name("v").value(RecordedJson.VERSION);
            writeIdentity(out);
            out.name("id").value(id.value()).endObject();
        }));
    }

    /** What decides the call: everything but the id, which a provider may make up anew. */
    public Json identity() {
        return Json.write(out -> {
            out.beginObject();
            writeIdentity(out);
            out.endObject();
        });
    }

    /** Read without a tree: each call is read once, just after it was written. */
    public static PlacedCall of(ScopeInput input) {
        return RecordedJson.scan("call", input.value(), FIELDS, fields -> new PlacedCall(
                new IdempotencyKey.Place(Incarnation.parse(fields.text(1)), fields.number(2),
                        fields.number(3), Math.toIntExact(fields.number(4))),
                new CallId(fields.text(8)), fields.text(5), fields.text(6), fields.has(7)));
    }

    private void writeIdentity(JsonWriter out) {
        out.name("incarnation").value(place.incarnation().toString());
        out.name("turn").value(place.turn()).name("round").value(place.round());
        out.name("position").value(place.position());
        out.name("name").value(name).name("arguments").value(arguments);
        writeCut(out, cut);
    }

    /** Part of what decides a call; left out of a whole one. */
    public static void writeCut(JsonWriter out, boolean cut) {
        if (cut) {
            out.name(CUT).value("length");
        }
    }
}
