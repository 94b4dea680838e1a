package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import java.util.Optional;

/**
 * An action that was carried out, as the round that takes it records it; pinned by a golden file.
 *
 * @param result what came of it
 * @param left changes and events, in their order
 */
public record ActedOn(ActionResult result, List<Json> left) {

    private static final String FIELD = "acted";

    public ActedOn {
        left = List.copyOf(left);
    }

    /** The arrival that asked for it, with this in its content. */
    public Arrival in(Arrival asked) {
        Json content = Json.write(out -> {
            out.beginObject();
            asked.content().fields().forEach((name, value) -> out.name(name).value(value));
            out.name(FIELD).beginObject().name("result").value(result.toJson());
            out.name("left").value(Json.array(left)).endObject().endObject();
        });
        return new Arrival(asked.id(), asked.kind(), asked.hash(), content);
    }

    /** What is recorded with an arrival; empty if nothing is. */
    public static Optional<ActedOn> of(Arrival joined) {
        return joined.kind() != Arrival.Kind.INPUT || joined.content().peekText("action") == null
                ? Optional.empty()
                : joined.content()
                        .get(FIELD)
                        .map(acted -> RecordReader.read("action", acted,
                                () -> new ActedOn(ActionResult.of(RecordReader.field(acted, "result")),
                                        RecordReader.items(acted, "left"))));
    }
}
