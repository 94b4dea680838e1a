package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolId;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One call of a batch with its place: all that its child scope starts from.
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

    /** The calls of a batch with ids of their own: one that is missing, repeated or not {@linkplain Wording#isPlain plain} becomes {@code call_<round>_<index>}. */
    public static List<PlacedCall> of(ToolBatch batch) {
        boolean alone = batch.calls().size() == 1;
        Set<String> used = alone ? Set.of() : new HashSet<>();
        var placed = new ArrayList<PlacedCall>(batch.calls().size());
        for (CallRequest call : batch.calls()) {
            int index = placed.size();
            CallId given = call.id();
            String id = given == null ? "" : given.value();
            for (int n = 0; !Wording.isPlain(id) || !(alone || used.add(id)); n++) {
                id = CallId.of(batch.round(), index) + (n == 0 ? "" : "_" + n);
            }
            placed.add(new PlacedCall(
                    new IdempotencyKey.Place(batch.incarnation(), batch.turn(), batch.round(), index),
                    new CallId(id), call.name(), call.arguments(), call.cut()));
        }
        return placed;
    }

    /** The name of a call's child scope. In the scope of a turn, calls of several rounds stand beside each other. */
    public static String path(long turn, long round, int index) {
        return (turn == 0 ? "call/" : "round/" + round + "/call/") + index;
    }

    /** The name of its child scope. */
    public EffectKey child() {
        return new EffectKey(path(place.turn(), place.round(), place.position()));
    }

    /** Names it to listeners. */
    public CallReference reference(ScopeId scope) {
        return new CallReference(scope, place.turn(), place.round(), place.position(), id, name,
                arguments);
    }

    /** The name of the effect that this call intends. */
    public IdempotencyKey key(ToolId tool) {
        return IdempotencyKey.of(place, tool);
    }

    /** The form in which another host would be given it; pinned by a golden file. */
    public ScopeInput input() {
        return new ScopeInput(KIND, Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
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

    /** The call of an input; {@code journal_corrupt} if it is none. */
    public static PlacedCall of(ScopeInput input) {
        return RecordReader.scan("call", input.value(), FIELDS, fields -> new PlacedCall(
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
