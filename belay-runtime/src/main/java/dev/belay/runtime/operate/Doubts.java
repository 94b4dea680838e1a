package dev.belay.runtime.operate;

import dev.belay.json.Json;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.OperatorStore.DoubtSettling;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls that may have happened, across all sessions: their reconcilers could not tell. A doubt is open until its body answers late, its key
 * is resolved, or a person or program settles it here. Until then the same call is refused. Thread-safe.
 */
public final class Doubts {

    private final OperatorStore store;
    private final JournalHost host;
    private final Supplier<Instant> now;
    private final Actor by;

    /**
     * Doubts of a store.
     *
     * @param host runs calls that go on because of a settlement
     * @param by who settles
     */
    public Doubts(OperatorStore store, JournalHost host, Supplier<Instant> now, Actor by) {
        this.store = store;
        this.host = host;
        this.now = now;
        this.by = by;
    }

    /** The same in another's name. */
    public Doubts as(Actor actor) {
        return new Doubts(store, host, now, actor);
    }

    /**
     * Doubts that are open, in the order in which they arose.
     *
     * @param after the {@link Doubt#place} behind which they begin; 0 for the first
     * @param most at most this many
     */
    public List<Doubt> open(long after, int most) {
        return store.doubts(after, most);
    }

    /** A doubt, settled or not. */
    public Optional<Doubt> find(String id) {
        return store.doubt(id);
    }

    /**
     * Says that a call happened. The model is told its output once, at its next round; a call that was held ends with it.
     *
     * @param output what the call gave; must fit the output schema of its tool
     * @param reason how that is known; kept in the audit log
     */
    public VerbResult happened(String id, Json output, String reason) {
        Doubt doubt = store.doubt(id).orElse(null);
        Json schema = doubt == null ? null : doubt.about().call().output();
        if (schema != null) {
            Violations wrong = JsonSchema.ofKept(schema).validate(output);
            if (!wrong.isEmpty()) {
                return new VerbResult.NotPossible(
                        "this output does not fit the tool that was called: " + wrong.message());
            }
        }
        return settle(id, Reconciliation.happened(new ToolOutcome.Success(output)), reason);
    }

    /**
     * Says that a call did not happen, and will not. The same call is allowed again, and the model is told so; a call that was held runs
     * now, if its first body cannot run any more.
     *
     * @param reason how that is known; told to the model, and kept in the audit log
     */
    public VerbResult didNotHappen(String id, String reason) {
        return settle(id, Reconciliation.didNotHappen(reason), reason);
    }

    private VerbResult settle(String id, Reconciliation<ToolOutcome> truth, String reason) {
        var note = new AuditEntry.Note(by, "settle", "doubt/" + id, Json.write(out -> out.beginObject()
                .name(truth instanceof Reconciliation.Happened ? "happened" : "did_not_happen")
                .value(truth instanceof Reconciliation.Happened<ToolOutcome>(ToolOutcome.Success(Json value))
                        ? value
                        : Json.TRUE)
                .name("reason")
                .value(reason)
                .endObject()));
        Optional<Doubt> doubt = store.doubt(id);
        if (doubt.isEmpty()) {
            return new VerbResult.NotPossible(
                    "there is no doubt \"" + id + "\"; open() lists those that are open");
        }
        return switch (host.claiming(doubt.get().scope(),
                () -> store.settle(id, truth, note, host.hasRoom(), now.get()))) {
            case DoubtSettling.Settled settled -> {
                if (settled.held() != null && settled.said() != null) {
                    host.settled(doubt.get().scope(), settled.held(), settled.said(), settled.woken());
                }
                yield VerbResult.DONE;
            }
            case DoubtSettling.Already(Doubt.Settlement first) -> first.truth().equals(truth)
                    ? VerbResult.ALREADY
                    : new VerbResult.NotPossible(
                            "it was settled at " + first.at() + " by " + first.by().name()
                                    + " (" + first.by().door() + "): " + words(first.truth()));
            case DoubtSettling.Unknown unknown ->
                new VerbResult.NotPossible("there is no doubt \"" + id + "\"");
        };
    }

    private static String words(Reconciliation<ToolOutcome> truth) {
        return switch (truth) {
            case Reconciliation.Happened<ToolOutcome>(ToolOutcome outcome) ->
                "it happened: " + outcome.text();
            case Reconciliation.DidNotHappen<ToolOutcome>(String reason) -> "it did not happen: " + reason;
            case Reconciliation.Unknown<ToolOutcome>(String known) -> known;
        };
    }
}
