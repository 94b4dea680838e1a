package dev.belay.runtime.effect.scope;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.Fence;
import dev.belay.tool.option.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private volatile List<OpenDoubt.Of> doubts = List.of();
    private volatile List<Effect.Note> notes = List.of();
    private @Nullable WaitName closes;
    private boolean answered;
    private boolean doubted;
    private boolean refused;
    /** Whose process runs the work, or ran it before it was in doubt; null if that is not known. */
    private @Nullable String owner;
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
        this.owner = live.owner();
    }

    /** Runs work that is not recorded. */
    static <T> T first(EntryState entry, Effect<T> effect, RecordWriter records) {
        boolean ahead = effect.runsAhead();
        entry.settle(ahead);
        entry.requireUnpaused(effect);
        return new EffectRun<>(entry, effect, records, full(entry, effect.plan()), false, ahead).execute();
    }

    /** Runs work that an earlier entry started and that may be repeated. */
    static <T> T again(EntryState entry, Effect<T> effect, RecordWriter records,
            EffectDecision.TakeOver started) {
        entry.requireUnpaused(effect);
        Effect.Plan plan = recorded(started.row(), started.input());
        boolean begun = !started.row().isNotBegun();
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
        var run = new EffectRun<>(entry, effect, records, plan, true, false);
        run.owner = started.row().startedBy();
        run.doubted = true;
        return run.work(() -> effect.doubt(run));
    }

    /** A plan with the whole name of the wait that it follows. */
    private static Effect.Plan full(EntryState entry, Effect.Plan plan) {
        Effect.Follows follows = plan.follows();
        return follows == null
                ? plan
                : new Effect.Plan(plan.effect(), plan.input(), plan.startFirst(), plan.resource(),
                        plan.fingerprint(), plan.guard(),
                        new Effect.Follows(entry.fullName(follows.name()), follows.said()));
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
            Written refusing = plan.recordsStart() ? begin(null) : null;
            return refusing == null ? work(this::run) : refused(refusing);
        }
        var wanted = new ResourceHold(entry, resource, key, effect.pausedBy());
        ResourceHold.Acquired acquired = wanted
                .acquire(again ? wanted::takeInStore : () -> records.start(plan, null));
        Written refusing = acquired.refused();
        if (refusing != null) {
            return refused(refusing);
        }
        String cancelled = acquired.cancelled();
        if (cancelled != null) {
            return work(() -> effect.cancelledBeforeStart(cancelled));
        }
        hold = wanted;
        started = true;
        return work(this::run);
    }

    private T run() throws Exception {
        begun = false;
        live.awaitSure();
        begun = true;
        return effect.run(this);
    }

    /** Work that must not start, because of a doubt or of another settlement. */
    private T refused(Written by) {
        refused = true;
        String doubt = by.doubt();
        return work(() -> doubt != null
                ? effect.refused(doubt)
                : effect.overruled(Objects.requireNonNull(by.answer())));
    }

    private T work(Callable<T> body) {
        T value;
        Json result;
        ResourceQueues.Ticket.Holder holder = live.holder(key);
        boolean joined = live.host().bodies().begin(holder, effect.kind());
        try {
            value = body.call();
            result = OutcomeJson.recordable(effect, value, plan.effect());
            closes = answered ? null : full(effect.closes(value));
        } catch (ToolException e) {
            requireWhole();
            finish(doubted || !doubts.isEmpty() ? EffectRow.Status.IN_DOUBT : EffectRow.Status.FAILED,
                    OutcomeJson.of(e.failure()), () -> {});
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
        Written written = finish(doubts.isEmpty() ? EffectRow.Status.COMPLETED : EffectRow.Status.IN_DOUBT,
                result, () -> effect.recorded(value));
        Resolution answer = written.answer();
        if (written.doubt() != null || (answer != null && closes == null)) {
            return refused(written);
        }
        if (answer == null) {
            return value;
        }
        answered = true;
        doubts = List.of();
        opens = List.of();
        return work(() -> effect.answered(value, answer));
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

    /** Records the end, unless a doubt forbids it or an answer has come first. */
    private Written finish(EffectRow.Status status, Json result, Runnable told) {
        if (ahead && opens.isEmpty() && notes.isEmpty() && closes == null
                && LargeResult.of(result).isEmpty()) {
            records.finishAhead(plan, status, result, told);
            return Written.DONE;
        }
        ResourceHold held = kept ? null : hold;
        String releases = held != null ? held.resource() : doubted && !kept ? plan.resource() : null;
        Written written;
        try {
            written = records.finish(plan, status, result, new RecordWriter.Leaves(releases, opens, closes,
                    started || refused ? null : plan.guard(), started || refused ? null : plan.follows(),
                    doubts, notes));
        } catch (BelayException e) {
            letGo();
            throw e;
        }
        if (written.refusal() == null) {
            if (held != null) {
                held.releasedByWrite();
            }
            told.run();
        }
        return written;
    }

    /** The work has no end. If that is because the host closes, work that must not be repeated says so for its next owner. */
    private void cut() {
        if (started && plan.effect() == ToolEffect.ONCE && live.stops()) {
            records.stop(plan, begun ? EffectDecision.STOPPED : EffectRow.NOT_BEGUN);
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
    public boolean recordStart(Effect.@Nullable Issued issued) {
        starting.lock();
        try {
            boolean first = !started;
            begin(issued);
            return first && started;
        } finally {
            starting.unlock();
        }
    }

    /** Records the start, if that has not happened; the write if it was refused, or null. */
    private @Nullable Written begin(Effect.@Nullable Issued issued) {
        starting.lock();
        try {
            entry.requireWhole();
            Written written = started
                    ? null
                    : entry.guarded(() -> records.start(plan, issued == null
                            ? null
                            : new Effect.Issued(entry.fullName(issued.name()), issued.schema())));
            started = started || (written != null && written.refusal() == null);
            return written == null || written.refusal() == null ? null : written;
        } finally {
            starting.unlock();
        }
    }

    @Override
    public @Nullable String owner() {
        return owner;
    }

    @Override
    public boolean isDead(@Nullable String other) {
        return other != null && !live.host().store().read(ScopeReads.isAlive(other));
    }

    @Override
    public boolean startAgain(@Nullable String guard) {
        if (!isDead(owner) || live.memory().cancelReason() != null) {
            return false;
        }
        entry.requireUnpaused(effect);
        Effect.Plan again = new Effect.Plan(plan.effect(), plan.input(), true, plan.resource(),
                plan.fingerprint(), guard, null);
        String resource = plan.resource();
        if (resource == null) {
            doubted = records.start(again, null).refusal() != null;
            owner = doubted ? owner : live.owner();
            return !doubted;
        }
        var wanted = new ResourceHold(entry, resource, key, effect.pausedBy());
        ResourceHold.Acquired acquired = wanted.acquire(() -> records.start(again, null));
        if (acquired.cancelled() != null || acquired.refused() != null) {
            return false;
        }
        hold = wanted;
        doubted = false;
        owner = live.owner();
        return true;
    }

    @Override
    public String doubts(EffectKey of, OpenDoubt doubt) {
        String record = entry.fullName(new WaitName(of.value())).value();
        doubts = List.of(new OpenDoubt.Of(record,
                new OpenDoubt(doubt.call(), doubt.guard(),
                        doubt.resource() == null ? plan.resource() : doubt.resource(), full(doubt.key()),
                        full(doubt.holds()), doubt.isOver(), doubt.owner(), doubt.code(), doubt.why())));
        return Doubt.id(live.id().value(), record);
    }

    private @Nullable WaitName full(@Nullable WaitName name) {
        return name == null ? null : entry.fullName(name);
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
    public synchronized void notes(Effect.Note note) {
        List<Effect.Note> more = new ArrayList<>(notes);
        more.add(note);
        notes = List.copyOf(more);
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
