package dev.belay.runtime.effect.scope;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.Fence;
import dev.belay.tool.option.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of one effect, between the records of its start and its end.
 *
 * <p>Concurrency: the thread of the entry runs it; the work may use it as {@link Effect.Running} from any thread.
 *
 * <p>Durability: work that must not be repeated is recorded as started before it begins. Its result is durable before the caller gets
 * it; if it {@link Effect#runsAhead}, the caller gets it when the write has begun.
 *
 * <p>Recovery: an effect that was started and not finished is run again with its recorded input, or is in doubt.
 */
final class EffectRun<T> implements Effect.Running {

    private final EntryState entry;
    private final LiveScope live;
    private final Effect<T> effect;
    private final String key;
    private final Effect.Plan plan;
    private final RecordWriter records;
    private final boolean again;
    private final boolean ahead;
    private final boolean perhapsBefore;
    private final ReentrantLock starting = new ReentrantLock();
    private volatile List<OpenWait> opens = List.of();
    private @Nullable ResourceHold hold;
    private volatile boolean started;
    private volatile boolean kept;
    private volatile boolean begun = true;

    private EffectRun(EntryState entry, Effect<T> effect, RecordWriter records, Effect.Plan plan,
            boolean again,
            boolean ahead) {
        this.entry = entry;
        this.live = entry.live();
        this.effect = effect;
        this.key = records.key();
        this.plan = plan;
        this.records = records;
        this.again = again;
        this.ahead = ahead && plan.effect() == ToolEffect.READ && !plan.recordsStart();
        this.perhapsBefore = live.isAsLeft();
        this.started = again;
    }

    /** Runs work that is not recorded. */
    static <T> T first(EntryState entry, Effect<T> effect, RecordWriter records) {
        boolean ahead = effect.runsAhead();
        entry.settle(ahead);
        entry.requireUnpaused(effect);
        return new EffectRun<>(entry, effect, records, effect.plan(), false, ahead).execute();
    }

    /** Runs work that an earlier entry started and that may be repeated. */
    static <T> T again(EntryState entry, Effect<T> effect, RecordWriter records,
            EffectDecision.TakeOver started) {
        entry.requireUnpaused(effect);
        Effect.Plan plan = recorded(started.row(), started.input());
        boolean begun = !EffectDecision.NOT_BEGUN.equals(started.row().result());
        return new EffectRun<>(entry, effect, records, plan, begun, false).execute();
    }

    /** Asks the effect how work ended that an earlier entry started and that must not be repeated. */
    static <T> T doubt(EntryState entry, Effect<T> effect, RecordWriter records,
            EffectDecision.InDoubt started) {
        entry.place().decided();
        entry.settle();
        Effect.Plan plan = recorded(started.row(), started.input());
        if (EffectDecision.STOPPED.equals(started.row().result())) {
            effect.wasStopped();
        }
        T value;
        try {
            value = effect.doubt(plan.input());
        } catch (ToolException e) {
            records.finish(plan, EffectRow.Status.IN_DOUBT, OutcomeJson.of(e.failure()), plan.resource(),
                    List.of());
            throw e;
        } catch (Exception e) {
            throw JournalException.unexpected(e);
        }
        records.finish(plan, EffectRow.Status.COMPLETED, effect.encode(value), plan.resource(), List.of());
        effect.recorded(value);
        return value;
    }

    /** The plan of the entry that started the work. */
    private static Effect.Plan recorded(EffectRow row, Json input) {
        String print = row.fingerprint();
        ToolEffect effect = row.effect();
        return new Effect.Plan(effect == null ? ToolEffect.ONCE : effect, input, true, row.resource(),
                print == null ? null : new Fingerprint(print));
    }

    private T execute() {
        entry.settle(ahead);
        String resource = plan.resource();
        if (resource == null) {
            entry.place().decided();
            if (plan.recordsStart()) {
                recordStart();
            }
            return work(() -> effect.run(this));
        }
        var wanted = new ResourceHold(entry, resource, key, effect.pausedBy());
        Optional<String> cancelled = wanted.acquire(again ? wanted::takeInStore : () -> records.start(plan));
        if (cancelled.isPresent()) {
            return work(() -> effect.cancelledBeforeStart(cancelled.get()));
        }
        hold = wanted;
        started = true;
        return work(() -> effect.run(this));
    }

    private T work(Callable<T> body) {
        T value;
        Json result;
        ResourceQueues.Ticket.Holder holder = live.holder(key);
        boolean joined = live.host().bodies().begin(holder, effect.kind());
        try {
            value = body.call();
            result = OutcomeJson.recordable(effect, value, plan.effect());
        } catch (ToolException e) {
            requireWhole();
            finish(EffectRow.Status.FAILED, OutcomeJson.of(e.failure()), () -> {});
            throw e;
        } catch (Error | RuntimeException e) {
            cut();
            throw e;
        } catch (Exception e) {
            cut();
            throw JournalException.unexpected(e);
        } finally {
            live.host().bodies().end(holder, joined);
        }
        requireWhole();
        finish(EffectRow.Status.COMPLETED, result, () -> effect.recorded(value));
        return value;
    }

    /** Work in which the store failed has no outcome, even if the body has caught the fault. */
    private void requireWhole() {
        try {
            entry.requireWhole();
        } catch (BelayException fault) {
            letGo();
            throw fault;
        }
    }

    private void finish(EffectRow.Status status, Json result, Runnable told) {
        if (ahead && opens.isEmpty() && LargeResult.of(result).isEmpty()) {
            records.finishAhead(plan, status, result, told);
            return;
        }
        ResourceHold held = kept ? null : hold;
        try {
            records.finish(plan, status, result, held == null ? null : held.resource(), opens);
        } catch (BelayException e) {
            letGo();
            throw e;
        }
        if (held != null) {
            held.releasedByWrite();
        }
        told.run();
    }

    /** The work has no end. If that is because the host closes, work that must not be repeated says so for its next owner. */
    private void cut() {
        if (started && plan.effect() == ToolEffect.ONCE && live.stops()) {
            records.stop(plan, begun ? EffectDecision.STOPPED : EffectDecision.NOT_BEGUN);
        }
        letGo();
    }

    /** Releases the resource; nothing is recorded. */
    private void letGo() {
        ResourceHold held = hold;
        if (held != null && !kept) {
            held.release();
        }
    }

    @Override
    public void recordStart() {
        starting.lock();
        try {
            entry.requireWhole();
            if (!started) {
                entry.guarded(() -> records.start(plan));
                started = true;
            }
        } finally {
            starting.unlock();
        }
    }

    @Override
    public Json input() {
        return plan.input();
    }

    @Override
    public boolean again() {
        return again;
    }

    @Override
    public boolean perhapsBefore() {
        return again || perhapsBefore;
    }

    @Override
    public Fence fence() {
        ResourceHold held = hold;
        return held == null ? new Fence(live.claim().fence()) : held.fence();
    }

    @Override
    public synchronized void opens(OpenWait wait) {
        List<OpenWait> more = new ArrayList<>(opens);
        more.add(new OpenWait(entry.fullName(wait.name()), wait.kind(), wait.deadline(),
                wait.announcement()));
        opens = List.copyOf(more);
    }

    @Override
    public void onThread(Thread thread, String tool) {
        live.host().bodies().on(thread, live.holder(key), JournalHost.Working.of(tool));
    }

    @Override
    public void notBegun() {
        begun = false;
    }

    @Override
    public Runnable keepResource() {
        ResourceHold held = hold;
        if (held == null) {
            return () -> {};
        }
        kept = true;
        return held::release;
    }
}
