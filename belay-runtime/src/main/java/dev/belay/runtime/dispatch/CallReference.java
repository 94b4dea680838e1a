package dev.belay.runtime.dispatch;

import dev.belay.json.JsonWriter;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.context.CallId;

/**
 * Names one call to listeners.
 *
 * @param scope the scope that owns its batch
 * @param turn number of the turn, 0 outside a session
 * @param round number of the round
 * @param index position within the batch
 * @param id what the model calls it
 * @param tool what the model said
 * @param arguments the text that the model said; hooks may have changed what the body is given
 */
public record CallReference(ScopeId scope, long turn, long round, int index, CallId id, String tool,
        String arguments) {

    /** Writes where it stands, what it is called and what it was given into the object that is being written. */
    void write(JsonWriter out) {
        out.name("scope").value(scope.value()).name("turn").value(turn).name("round").value(round);
        out.name("index").value(index).name("call").value(id.value(), RecordReader.HALF);
        out.name("tool").value(tool, RecordReader.HALF).name("arguments").value(arguments, RecordReader.HALF);
    }
}
