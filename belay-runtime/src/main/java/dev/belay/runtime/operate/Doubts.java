package dev.belay.runtime.operate;

import dev.belay.json.Json;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.runtime.store.law.DoubtRules.DoubtSettling;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that may have happened, across all sessions: their reconcilers could not tell. A doubt is open until its body answers late, its key
 * is resolved, its reconciler is {@linkplain #ask asked} again and can tell, or a person or program settles it here. Until then the same call is refused. Thread-safe.
 */
public final class Doubts {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final Store store;
    private final JournalHost host;
    private final Supplier<Instant> now;
    private final Actor by;
    private final Reconcilers reconcilers;

    /** Asks the reconciler of a tool. */
    @FunctionalInterface
    public interface Reconcilers {

        /** The answer; unknown, with the reason, if there is no reconciler here. */
        Reconciliation<ToolOutcome> ask(Doubt doubt) throws Exception;
    }

    /**
     * Doubts of a store, whose tools have no reconcilers.
     *
     * @param host runs calls that go on because of a settlement
     * @param by who settles
     */
    public Doubts(Store store, JournalHost host, Supplier<Instant> now, Actor by) {
        this(store, host, now, by, doubt -> Reconciliation.unknown());
    }

    private Doubts(Store store, JournalHost host, Supplier<Instant> now, Actor by,
            Reconcilers reconcilers) {
        this.store = store;
        this.host = host;
        this.now = now;
        this.by = by;
        this.reconcilers = reconcilers;
    }

    /** The same with the reconcilers of tools. */
    public Doubts asking(Reconcilers tools) {
        return new Doubts(store, host, now, by, tools);
    }

    /** The same in another's name. */
    public Doubts as(Actor actor) {
        return new Doubts(store, host, now, actor, reconcilers);
    }

    /**
     * Doubts that are open, in the order in which they arose.
     *
     * @param after the {@link Doubt#place} behind which they begin; 0 for the first
     * @param most at most this many
     */
    public List<Doubt> open(long after, int most) {
        return store.read(DoubtRules.reading(after, most));
    }

    /** A doubt, settled or not. */
    public Optional<Doubt> find(String id) {
        return store.read(DoubtRules.reading(id));
    }

    /**
     * Says that a call happened. The model is told its output once, at its next round; a call that was held ends with it.
     *
     * @param output what the call gave; must fit the output schema of its tool
     * @param reason how that is known; kept in the audit log
     */
    public VerbResult happened(String id, Json output, String reason) {
        return settle(id, Reconciliation.happened(new ToolOutcome.Success(output)), reason);
    }

    /**
     * Asks the reconciler of the tool once more, on this thread, and settles the doubt by what it says: for a service that could not tell
     * before, or was down. Only a runtime that defines the tool for the agent of the call can ask; the doubt about a step cannot be asked
     * about, because only the body knows its reconciler.
     *
     * @return {@code NotPossible} with the reason if nothing was found out; the doubt stays open
     */
    public VerbResult ask(String id) {
        Doubt doubt = store.read(DoubtRules.reading(id)).orElse(null);
        if (doubt == null) {
            return unknown(id);
        }
        if (!doubt.isOpen()) {
            return VerbResult.ALREADY;
        }
        try {
            Reconciliation<ToolOutcome> found = reconcilers.ask(doubt);
            return found instanceof Reconciliation.Unknown<ToolOutcome>(String known)
                    ? new VerbResult.NotPossible(
                            known.isEmpty() ? "the reconciler of its tool cannot tell" : known)
                    : settle(id, found, "its reconciler says so");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new VerbResult.NotPossible("the thread that asked was interrupted");
        } catch (Exception e) {
            LOG.warn("The reconciler of {} threw when it was asked about doubt {}",
                    doubt.about().call().tool(), id, e);
            return new VerbResult.NotPossible("the reconciler of its tool threw " + e);
        }
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
        Optional<Doubt> doubt = store.read(DoubtRules.reading(id));
        if (doubt.isEmpty()) {
            return unknown(id);
        }
        Violations wrong = misfit(doubt.get(), truth);
        if (!wrong.isEmpty()) {
            return new VerbResult.NotPossible(
                    "this output does not fit the tool that was called: " + wrong.message());
        }
        return switch (host.claiming(doubt.get().scope(),
                () -> store.apply(store.doubts().settle(id, truth, note, host.hasRoom(), now.get())))) {
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
            case DoubtSettling.Unknown unknown -> unknown(id);
        };
    }

    private static VerbResult unknown(String id) {
        return new VerbResult.NotPossible(
                "there is no doubt \"" + id + "\"; open() lists those that are open");
    }

    private static Violations misfit(Doubt doubt, Reconciliation<ToolOutcome> truth) {
        Json schema = doubt.about().call().output();
        return schema != null
                && truth instanceof Reconciliation.Happened<ToolOutcome>(ToolOutcome.Success(Json output))
                        ? JsonSchema.ofKept(schema).validate(output)
                        : Violations.NONE;
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
