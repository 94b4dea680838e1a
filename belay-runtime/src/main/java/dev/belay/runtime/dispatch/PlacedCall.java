package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.CallId;
import dev.belay.tool.IdempotencyKey;
import dev.belay.tool.Incarnation;
import dev.belay.tool.ToolId;

/**
 * One call of a batch, with its place: all that a child scope starts from.
 *
 * @param place where it stands
 * @param id its own, also if the model said none
 * @param name the tool
 * @param arguments the text sent as arguments
 */
record PlacedCall(IdempotencyKey.Place place, CallId id, String name, String arguments) {

    /** The kind of a scope that runs one call. */
    static final String KIND = "call/1";

    /** The name of the effect that this call intends. */
    IdempotencyKey key(ToolId tool) {
        return IdempotencyKey.of(place, tool);
    }

    ScopeInput input() {
        return new ScopeInput(KIND, Json.write(out -> {
            out.beginObject().name("v").value(RecordedJson.VERSION);
            writeIdentity(out);
            out.name("id").value(id.value()).endObject();
        }));
    }

    /** What decides the call: everything but the id, which a provider may make up anew. */
    Json identity() {
        return Json.write(out -> {
            out.beginObject();
            writeIdentity(out);
            out.endObject();
        });
    }

    static PlacedCall of(ScopeInput input) {
        Json recorded = input.value();
        return RecordedJson.read("call", recorded, () -> new PlacedCall(
                new IdempotencyKey.Place(
                        Incarnation.parse(RecordedJson.text(recorded, "incarnation")),
                        RecordedJson.field(recorded, "turn").asLong(),
                        RecordedJson.field(recorded, "round").asLong(),
                        RecordedJson.field(recorded, "position").asInt()),
                new CallId(RecordedJson.text(recorded, "id")),
                RecordedJson.text(recorded, "name"), RecordedJson.text(recorded, "arguments")));
    }

    private void writeIdentity(JsonWriter out) {
        out.name("incarnation").value(place.incarnation().toString());
        out.name("turn").value(place.turn()).name("round").value(place.round());
        out.name("position").value(place.position());
        out.name("name").value(name).name("arguments").value(arguments);
    }
}
