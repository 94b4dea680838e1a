package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a claimed scope: its records, its waits, whether it is cancelled. It is a copy of the journal, and
 * ahead of it by the {@link PendingRecords}.
 *
 * <p>Concurrency: the threads of the scope and of its children share it. One lock orders settlements, cancellation and the threads
 * that wait for them; it is never held during a call of the journal or of the user's code.
 */
public final class ScopeMemory {

    private final HostServices host;
    private final Claim claim;
    private final Map<String, EffectRow> rows = new ConcurrentHashMap<>(4);
    private volatile boolean written;
    private volatile boolean writtenHere;
    /** Few scopes wait. */
    private volatile @Nullable Map<WaitName, WaitState> waits;
    private final Map<Object, Consumer<String>> cancelActions = new ConcurrentHashMap<>(1);
    /** Few scopes sleep. */
    private volatile Set<TimeSource.Alarm> alarms = Set.of();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable String cancelReason;
    /** The conditions of a scope that sleeps. */
    private List<Waiting> asleepOn = List.of();
    /** Starts the scope again; null unless it sleeps. */
    private @Nullable Runnable wake;

    ScopeMemory(HostServices host, Claim claim) {
        this.host = host;
        this.claim = claim;
        this.cancelReason = claim.cancelReason();
    }

    ReentrantLock lock() {
        return lock;
    }

    Condition changed() {
        return changed;
    }

    public @Nullable String cancelReason() {
        return cancelReason;
    }

    private boolean stops() {
        return host.life().stops(claim.scope());
    }

    /** Makes every waiting thread look again, and wakes the scope if it sleeps and a condition of its sleep holds, or it stops. */
    public void signal() {
        Runnable woken = null;
        lock.lock();
        try {
            changed.signalAll();
            if (wake != null && (stops() || asleepOn.stream().anyMatch(this::isOver))) {
                woken = wake;
                wake = null;
            }
        } finally {
            lock.unlock();
        }
        if (woken != null) {
            woken.run();
        }
    }

    /**
     * Lets the scope sleep without a thread until one of these conditions holds.
     *
     * @param start starts the scope again, once
     * @return false if one of them holds already; then the scope does not sleep
     */
    public boolean sleep(List<Waiting> waiting, Runnable start) {
        lock.lock();
        try {
            if (stops() || waiting.stream().anyMatch(this::isOver)) {
                return false;
            }
            wake = start;
            asleepOn = List.copyOf(waiting);
            waiting.forEach(this::alarm); // before it can be woken, which silences all alarms
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a condition holds. Called with or without the lock. */
    boolean isOver(Waiting waiting) {
        if (cancelReason != null) {
            return true;
        }
        Instant now = host.time().now();
        return switch (waiting) {
            case Waiting.ForWait(OpenWait wait, var deadline) -> resolution(wait.name()) != null
                    || (deadline != null && !now.isBefore(deadline));
            case Waiting.ForTime(Instant moment) -> !now.isBefore(moment);
            case Waiting.ForResource(var ticket, var again, var pausedBy) -> (ticket.isFirst()
                    && (again == null || !now.isBefore(again)))
                    || !host.store().served().pauses().holding(pausedBy).isEmpty();
            case Waiting.ForPause(String key) -> !host.store().served().pauses().holds(key);
        };
    }

    /** Sets an alarm for the moment at which a condition may hold by itself. */
    void alarm(Waiting waiting) {
        Instant due = waiting.due();
        if (due != null) {
            keep(host.time().at(due, this::signal));
        }
    }

    private synchronized void keep(TimeSource.Alarm alarm) {
        alarms = alarms.isEmpty() ? ConcurrentHashMap.newKeySet() : alarms;
        alarms.add(alarm);
    }

    /** Cancels all alarms: an alarm that rings in a week must not keep a parked scope in the heap. */
    public void silence() {
        if (!alarms.isEmpty()) {
            alarms.removeIf(alarm -> {
                alarm.cancel();
                return true;
            });
        }
    }

    /** The scope is left here: no alarm wakes it, and threads that wait for a child of it look again. */
    void leave() {
        silence();
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits on this thread until a condition holds, for as long as a scope may hold its thread.
     *
     * @return whether it holds
     */
    boolean hold(Waiting condition) {
        if (isOver(condition)) {
            return true;
        }
        Duration most = host.options().parkAfter();
        if (most.isZero()) {
            return false;
        }
        boolean[] over = {false};
        TimeSource.Alarm end = host.time().after(most, () -> {
            lock.lock();
            try {
                over[0] = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        });
        Instant due = condition.due();
        TimeSource.Alarm atDue = due == null ? () -> {} : host.time().at(due, this::signal);
        lock.lock();
        try {
            while (!isOver(condition)) {
                if (over[0]) {
                    return false;
                }
                if (stops()) {
                    throw host.life().gone();
                }
                awaitChange();
            }
            return true;
        } finally {
            lock.unlock();
            end.cancel();
            atDue.cancel();
        }
    }

    /** Waits for the next change; the caller holds the lock. An interrupt means that the host closes or the body should end. */
    void awaitChange() {
        await(changed);
    }

    /** Waits for one of the conditions of the lock, as {@link #awaitChange}. */
    @SuppressWarnings("WaitNotInLoop") // every caller loops
    void await(Condition condition) {
        try {
            condition.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (stops()) {
                throw host.life().gone();
            }
            throw toolCancelled("interrupted while it waited");
        }
    }

    static ToolException toolCancelled(String reason) {
        return new ToolException(new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled", reason,
                ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
    }

    /** The record of an effect, or null. */
    @Nullable
    EffectRow row(String key) {
        return rows.get(key);
    }

    /** The value of an effect that has completed. */
    Optional<Json> value(String key) {
        EffectRow row = rows.get(key);
        return row != null && OutcomeJson.isValue(row)
                ? Optional.ofNullable(row.result())
                : Optional.empty();
    }

    /** Whether the key of a record begins with a prefix. */
    boolean hasRecords(String prefix) {
        return rows.keySet().stream().anyMatch(key -> key.startsWith(prefix));
    }

    /** Whether no record is known. */
    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Whether the end of an effect is recorded. */
    boolean isRecorded(String key) {
        EffectRow row = rows.get(key);
        return row != null && row.status() != EffectRow.Status.STARTED;
    }

    /** Takes note of a record that was written by this owner, or is being written. */
    void recorded(EffectRow row) {
        written = true;
        writtenHere = true;
        rows.put(row.key(), row);
    }

    /** Forgets a record that could not be written. */
    void forget(EffectRow row) {
        rows.remove(row.key(), row);
    }

    /** The scope is entered. */
    public void entered() {
        writtenHere = false;
    }

    /** Whether this entry has written a record. */
    boolean hasWrittenHere() {
        return writtenHere;
    }

    /** Whether this owner has written a record. */
    boolean hasWritten() {
        return written;
    }

    @Nullable
    WaitState waitState(WaitName name) {
        Map<WaitName, WaitState> known = waits;
        return known == null ? null : known.get(name);
    }

    private synchronized Map<WaitName, WaitState> waits() {
        Map<WaitName, WaitState> known = waits;
        if (known == null) {
            known = new ConcurrentHashMap<>();
            waits = known;
        }
        return known;
    }

    @Nullable
    Resolution resolution(WaitName name) {
        WaitState wait = waitState(name);
        return wait == null ? null : wait.resolution();
    }

    /** Takes note of a wait that was opened. */
    void opened(OpenWait wait) {
        waits().putIfAbsent(wait.name(),
                new WaitState(wait.name(), wait.kind(), wait.deadline(), wait.announcement(), true, null));
    }

    /** Takes note of a settlement. */
    public void settled(WaitName name, Resolution value) {
        waits().compute(name, (same, known) -> known == null
                ? new WaitState(name, OpenWait.Kind.EVENT, null, null, false, value)
                : new WaitState(name, known.kind(), known.deadline(), known.announcement(), known.opened(),
                        value));
        signal();
    }

    /** Takes note of a cancellation. */
    public void cancelled(String reason) {
        lock.lock();
        try {
            if (cancelReason != null) {
                return;
            }
            cancelReason = reason;
        } finally {
            lock.unlock();
        }
        refreshWaits();
        cancelActions.values().forEach(action -> run(action, reason));
        signal();
    }

    Runnable onCancel(Consumer<String> action) {
        var name = new Object();
        cancelActions.put(name, action);
        String reason = cancelReason;
        if (reason != null) {
            run(action, reason);
        }
        return () -> cancelActions.remove(name);
    }

    private void run(Consumer<String> action, String reason) {
        host.threads().start(() -> action.accept(reason));
    }

    /** Reads again what another process may have settled or cancelled. */
    public void refresh() {
        refreshWaits();
        host.store()
                .read(ScopeReads.state(claim.scope()))
                .map(ScopeState::cancelReason)
                .ifPresent(this::cancelled);
        signal();
    }

    private void refreshWaits() {
        for (WaitState wait : host.store().read(ScopeReads.waits(claim.scope()))) {
            // the journal was read before another thread told of a settlement, which is final
            waits().merge(wait.name(), wait,
                    (known, read) -> known.resolution() != null && read.resolution() == null ? known : read);
        }
    }

    /** Reads everything that the journal has of the scope. */
    public void load() {
        for (EffectRow row : host.store().read(ScopeReads.effects(claim.scope()))) {
            rows.put(row.key(), row);
        }
        refreshWaits();
        host.store()
                .read(ScopeReads.state(claim.scope()))
                .map(ScopeState::cancelReason)
                .ifPresent(reason -> cancelReason = reason);
    }
}
