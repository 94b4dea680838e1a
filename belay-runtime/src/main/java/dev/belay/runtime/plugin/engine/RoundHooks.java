package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What hooks have decided in one round, as its record holds it; pinned by a golden file. Immutable.
 *
 * @param before left before the model was asked
 * @param after left after its answer, before the turn would have ended
 * @param calls decisions about the calls of the answer, by their places; only in a program's loop
 */
public record RoundHooks(TurnHooked before, TurnHooked after, Map<Integer, Decided> calls) {

    /** No hook has left anything. */
    public static final RoundHooks NONE = new RoundHooks(TurnHooked.NONE, TurnHooked.NONE, Map.of());

    /**
     * A decision about a call.
     *
     * @param arguments in place of the model's, or null for the model's own
     * @param outcome of a call that ends without its body, or null
     * @param left by the hooks
     */
    public record Decided(@Nullable Json arguments, @Nullable ToolOutcome outcome, List<Json> left) {

        /** Copies the list. */
        public Decided {
            left = List.copyOf(left);
        }
    }

    /** Copies the map. */
    public RoundHooks {
        calls = Map.copyOf(calls);
    }

    /** Whether there is nothing to record. */
    public boolean isEmpty() {
        return before.isEmpty() && after.isEmpty() && calls.isEmpty();
    }

    /** The record. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            if (!before.isEmpty()) {
                out.name("before").value(before.toJson());
            }
            if (!after.isEmpty()) {
                out.name("after").value(after.toJson());
            }
            if (!calls.isEmpty()) {
                out.name("calls").beginObject();
                new TreeMap<>(calls).forEach((index, call) -> {
                    out.name(String.valueOf(index)).beginObject();
                    if (call.arguments() != null) {
                        out.name("arguments").value(call.arguments());
                    }
                    if (call.outcome() != null) {
                        out.name("outcome").value(OutcomeJson.of(call.outcome()));
                    }
                    if (!call.left().isEmpty()) {
                        out.name("left").value(Json.array(call.left()));
                    }
                    out.endObject();
                });
                out.endObject();
            }
            out.endObject();
        });
    }

    /** The decisions of a record. */
    public static RoundHooks of(Optional<Json> recorded) {
        return recorded.map(json -> {
            Map<Integer, Decided> calls = new TreeMap<>();
            json.get("calls")
                    .ifPresent(all -> all.fields()
                            .forEach((index, call) -> calls.put(Integer.valueOf(index),
                                    new Decided(call.get("arguments").orElse(null),
                                            call.get("outcome").map(OutcomeJson::outcome).orElse(null),
                                            RecordReader.items(call, "left")))));
            return new RoundHooks(TurnHooked.of(json.get("before")), TurnHooked.of(json.get("after")), calls);
        }).orElse(NONE);
    }
}
