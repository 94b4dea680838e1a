package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the attempts of one entry share. Thread-safe: a body that its call left behind may still add to it.
 *
 * @param values of steps, by their ids
 * @param inDoubt the doubts about steps, by their ids
 */
public record StepMemory(Map<String, Json> values, Map<String, String> inDoubt) {
    /** Nothing yet. */
    public StepMemory() {
        this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }

    /** The form in which it is recorded for attempts of later entries. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("values").beginObject();
            new TreeMap<>(values).forEach((id, value) -> out.name(id).value(value));
            out.endObject().name("doubts").beginObject();
            new TreeMap<>(inDoubt).forEach((id, doubt) -> out.name(id).value(doubt));
            out.endObject().endObject();
        });
    }

    /** Takes over what was recorded. */
    public void read(Json recorded) {
        values.putAll(RecordReader.field(recorded, "values").fields());
        RecordReader.field(recorded, "doubts")
                .fields()
                .forEach((id, doubt) -> inDoubt.put(id, doubt.asString()));
    }
}
