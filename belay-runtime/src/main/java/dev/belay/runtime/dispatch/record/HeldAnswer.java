package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was said about a call or step that waited until its doubt was settled.
 *
 * @param truth never unknown
 * @param over whether the first body cannot run any more
 */
public record HeldAnswer(Reconciliation<ToolOutcome> truth, boolean over) {

    /** The answer in the resolution of its wait; empty if it stopped waiting without one. */
    public static Optional<HeldAnswer> of(@Nullable Resolution resolution) {
        if (!(resolution instanceof Resolution.Ok(Json said))) {
            return Optional.empty();
        }
        return Optional.of(said.get("happened")
                .map(outcome -> new HeldAnswer(Reconciliation.happened(OutcomeJson.outcome(outcome)), true))
                .orElseGet(() -> new HeldAnswer(
                        Reconciliation.didNotHappen(RecordReader.text(said, "did_not_happen")),
                        RecordReader.field(said, "over").asBoolean())));
    }
}
