package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.Optional;

/**
 * A change of a state or an event, as it is recorded with what left it; the form is pinned by a golden file.
 *
 * @param plugin which
 * @param name of the state or the event
 * @param isEvent which of both
 * @param data the change or the data of the event
 */
public record StateChange(String plugin, String name, boolean isEvent, Json data) {

    private static final String PLUGIN = "plugin";

    public Json toJson() {
        return Json.write(out -> out.beginObject()
                .name(PLUGIN)
                .value(plugin)
                .name(isEvent ? "event" : "state")
                .value(name)
                .name("data")
                .value(data)
                .endObject());
    }

    /** The change of a record; empty if a record is something else. */
    public static Optional<StateChange> of(Json recorded) {
        String plugin = RecordReader.optionalText(recorded, PLUGIN);
        if (plugin == null) {
            return Optional.empty();
        }
        String state = RecordReader.optionalText(recorded, "state");
        return Optional.of(new StateChange(plugin,
                state == null ? RecordReader.text(recorded, "event") : state,
                state == null, RecordReader.field(recorded, "data")));
    }
}
