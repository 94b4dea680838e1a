package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Fingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records of one effect.
 *
 * <p>Durability: work that was done cannot be undone, so the record of its end is tried again until the store works or the host
 * is closed. If the scope was taken over meanwhile, the result is kept as a late result.
 *
 * @param live the scope
 * @param key of the effect, with its path
 * @param kind of the effect
 * @param request the effect as the scope asks for it
 */
record RecordWriter(LiveScope live, String key, String kind, EffectDecision.Request request) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    /**
     * Writes that work begins, and takes its resource in the same write; {@code BUSY} if another effect holds it, {@code DOUBT} if it
     * may have happened before, {@code ANSWERED} if the settlement that it follows from was replaced.
     *
     * @param issued kept in the same write, or null
     */
    Written start(Effect.Plan plan, Effect.@Nullable Issued issued) {
        EffectRow row = row(plan, EffectRow.Status.STARTED,
                plan.effect() == ToolEffect.ONCE ? EffectRow.startedBy(live.owner()) : null);
        Written written = store().apply(writing(
                new EffectWrite(row, plan.resource(), null, List.of(), null, plan.guard(), List.of(),
                        List.of(), issued, plan.follows(), host().time().now())));
        if (written.refusal() != Refusal.BUSY && written.refusal() != Refusal.DOUBT
                && written.refusal() != Refusal.ANSWERED) {
            check(written);
            live.memory().recorded(row);
        }
        return written;
    }

    /**
     * What is written together with the end of work.
     *
     * @param releases its resource, or null
     * @param opens waits
     * @param closes the wait that its end leaves without a question, or null
     * @param guard of its plan, if this is its first record
     * @param follows of its plan, if this is its first record
     * @param doubts whether it happened
     * @param notes for the audit log
     */
    record Leaves(@Nullable String releases, List<OpenWait> opens, @Nullable WaitName closes,
            @Nullable String guard, Effect.@Nullable Follows follows, List<OpenDoubt.Of> doubts,
            List<Effect.Note> notes) {}

    /**
     * Writes how work ended; {@code DOUBT} if it would be the first record of work that may have happened before, {@code ANSWERED} if
     * the wait that it closes has an answer, or the settlement that it follows from was replaced.
     */
    Written finish(Effect.Plan plan, EffectRow.Status status, Json result, Leaves leaves) {
        EffectRow row = row(plan, status, result);
        var write = new EffectWrite(row, null, leaves.releases(), leaves.opens(), leaves.closes(),
                leaves.guard(), leaves.doubts(), leaves.notes(), null, leaves.follows(), host().time().now());
        Written written = WriteRetry.on(host(), this::name,
                () -> store().apply(writing(write)));
        if (written.refusal() != Refusal.DOUBT && written.refusal() != Refusal.ANSWERED) {
            ended(written, result);
            live.memory().recorded(row);
            if (!leaves.opens().isEmpty()) {
                leaves.opens().forEach(live.memory()::opened);
            }
        }
        return written;
    }

    /** Marks work that was started, because the host closes before it has ended; if that fails, it is as if the process had died. */
    void stop(Effect.Plan plan, Json mark) {
        EffectRow row = row(plan, EffectRow.Status.STARTED, mark);
        try {
            store().apply(writing(new EffectWrite(row, null, null, List.of(), host().time().now())));
        } catch (JournalException e) {
            LOG.debug("Effect {} of scope {} could not be marked as stopped", key, live.id(), e);
        }
    }

    /** Begins to write how work ended that runs ahead; {@link PendingRecords#settle} waits for the write. */
    void finishAhead(Effect.Plan plan, EffectRow.Status status, Json result, Runnable told) {
        EffectRow row = row(plan, status, result);
        var write = new EffectWrite(row, null, null, List.of(), host().time().now());
        Pending<Written> begun = WriteRetry.on(host(), this::name,
                () -> store().begin(writing(write)));
        live.memory().recorded(row);
        live.pending().add(begun.isDone(), () -> {
            try {
                ended(WriteRetry.on(host(), this::name, begun::await,
                        () -> store().apply(writing(write))), result);
            } catch (Throwable e) {
                live.memory().forget(row);
                throw e;
            }
            told.run();
        });
    }

    private HostServices host() {
        return live.host();
    }

    private Store store() {
        return live.host().store();
    }

    private Operation<Written> writing(EffectWrite write) {
        return store().records().write(live.claim(), write);
    }

    private String name() {
        return "the result of effect " + key + " in scope " + live.id();
    }

    private void ended(Written written, Json result) {
        if (written.refusal() == Refusal.FENCED) {
            new LateSink(host(), live.id(), key).accept(result);
        }
        check(written);
    }

    private void check(Written written) {
        switch (written.refusal()) {
            case null -> {
            }
            case FENCED -> throw live.fenced();
            case BUSY, CONFLICT, DOUBT, ANSWERED ->
                throw JournalException.corrupt("scope " + live.id() + ", effect " + key
                        + ": the journal refused a record (" + written.refusal()
                        + ") that this owner alone can write", null);
        }
    }

    private EffectRow row(Effect.Plan plan, EffectRow.Status status, @Nullable Json result) {
        Fingerprint print = plan.fingerprint();
        return new EffectRow(key, request.ordinal(), kind, request.hash(), request.identity(), status,
                plan.input(), result,
                print == null ? null : print.value(), plan.effect(), plan.resource(), live.claim().fence());
    }
}
