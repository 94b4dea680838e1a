package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a claimed scope: its records, its waits, whether it is cancelled. A copy of what the journal has, or will have when {@link PendingRecords} is settled.
 *
 * <p>Concurrency: the scope's threads (its own, one for each of several children) share this. One lock orders settlements, cancellation and
 * everything that waits for them; it is never held during a call of the journal or of the user's code.
 */
public final class ScopeMemory {

    private final JournalEffectHost host;
    private final Claim claim;
    private final Runnable onSignal;
    private final Map<String, EffectRow> rows = new ConcurrentHashMap<>();
    private volatile boolean written;
    private final Map<WaitName, WaitState> waits = new ConcurrentHashMap<>();
    private final Map<Object, Consumer<String>> cancelActions = new ConcurrentHashMap<>();
    private final Set<TimeSource.Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable String cancelReason;

    /**
     * Knows nothing yet but the claim.
     *
     * @param onSignal run after every change, without the lock
     */
    ScopeMemory(JournalEffectHost host, Claim claim, Runnable onSignal) {
        this.host = host;
        this.claim = claim;
        this.onSignal = onSignal;
        this.cancelReason = claim.cancelReason();
    }

    ReentrantLock lock() {
        return lock;
    }

    Condition changed() {
        return changed;
    }

    @Nullable
    String cancelReason() {
        return cancelReason;
    }

    /** Makes everything that waits look again. */
    public void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onSignal.run();
    }

    /** Whether what somebody waits for has happened. Called with or without the lock. */
    boolean isOver(Waiting waiting) {
        if (cancelReason != null) {
            return true;
        }
        Instant now = host.time().now();
        return switch (waiting) {
            case Waiting.ForWait(OpenWait wait, var deadline) -> resolution(wait.name()) != null
                    || (deadline != null && !now.isBefore(deadline));
            case Waiting.ForTime(Instant due) -> !now.isBefore(due);
            case Waiting.ForResource(var ticket, var again) -> ticket.isFirst()
                    && (again == null || !now.isBefore(again));
        };
    }

    /** Sets an alarm for the moment at which a wait may be over by itself. */
    void alarm(Waiting waiting) {
        Instant due = switch (waiting) {
            case Waiting.ForWait(OpenWait wait, var deadline) -> deadline;
            case Waiting.ForTime(Instant moment) -> moment;
            case Waiting.ForResource(var ticket, var again) -> again;
        };
        if (due != null) {
            alarms.add(host.time().at(due, this::signal));
        }
    }

    /** A scope that is put away must not be held by an alarm that rings in a week. */
    void silence() {
        alarms.removeIf(alarm -> {
            alarm.cancel();
            return true;
        });
    }

    /**
     * Waits on this thread until a condition holds, for as long as a scope may hold its thread.
     *
     * @return whether it holds
     */
    boolean hold(BooleanSupplier condition, @Nullable Instant due) {
        if (condition.getAsBoolean()) {
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
        TimeSource.Alarm atDue = due == null ? () -> {} : host.time().at(due, this::signal);
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (over[0]) {
                    return false;
                }
                if (host.isClosing()) {
                    throw JournalException.closed();
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

    /** Waits for the next change, with the lock. An interrupt comes when the host closes, or the body should end. */
    void awaitChange() {
        await(changed);
    }

    /** The same for one of the conditions of the lock. */
    @SuppressWarnings("WaitNotInLoop") // every caller loops
    void await(Condition condition) {
        try {
            condition.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (host.isClosing()) {
                throw JournalException.closed();
            }
            throw new ToolException(new ToolFailure(ToolFailure.Kind.EXECUTION, "tool_cancelled",
                    "interrupted while it waited", ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
        }
    }

    /** What is recorded for an effect. */
    @Nullable
    EffectRow row(String key) {
        return rows.get(key);
    }

    /** The value of an effect that has one. */
    Optional<Json> value(String key) {
        EffectRow row = rows.get(key);
        return row != null && row.status() == EffectRow.Status.COMPLETED
                ? Optional.ofNullable(row.result())
                : Optional.empty();
    }

    /** Whether there is a record whose key begins with something. */
    boolean hasRecords(String prefix) {
        return rows.keySet().stream().anyMatch(key -> key.startsWith(prefix));
    }

    /** Whether it is known how an effect ended. */
    boolean isRecorded(String key) {
        EffectRow row = rows.get(key);
        return row != null && row.status() != EffectRow.Status.STARTED;
    }

    /** Takes note of a record that was written by this owner, or is being written. */
    void recorded(EffectRow row) {
        written = true;
        rows.put(row.key(), row);
    }

    /** Takes back what could not be written after all. */
    void forget(EffectRow row) {
        rows.remove(row.key(), row);
    }

    /** Whether this owner has written a record. */
    boolean hasWritten() {
        return written;
    }

    @Nullable
    WaitState waitState(WaitName name) {
        return waits.get(name);
    }

    @Nullable
    Resolution resolution(WaitName name) {
        WaitState wait = waits.get(name);
        return wait == null ? null : wait.resolution();
    }

    /** Takes note of a wait that was opened. */
    void opened(OpenWait wait) {
        waits.putIfAbsent(wait.name(),
                new WaitState(wait.name(), wait.kind(), wait.deadline(), wait.announcement(), true, null));
    }

    /** Takes note of a settlement. */
    public void settled(WaitName name, Resolution value) {
        waits.compute(name, (same, known) -> known == null
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
        host.spawn(() -> action.accept(reason));
    }

    /** Reads again what another process may have settled or asked. */
    public void refresh() {
        refreshWaits();
        host.journal().state(claim.scope()).map(ScopeState::cancelReason).ifPresent(this::cancelled);
        signal();
    }

    private void refreshWaits() {
        for (WaitState wait : host.journal().waits(claim.scope())) {
            // what was read may be older than what somebody has told meanwhile; a settlement is for good
            waits.merge(wait.name(), wait,
                    (known, read) -> known.resolution() != null && read.resolution() == null ? known : read);
        }
    }

    void load() {
        for (EffectRow row : host.journal().effects(claim.scope())) {
            rows.put(row.key(), row);
        }
        refreshWaits();
        host.journal()
                .state(claim.scope())
                .map(ScopeState::cancelReason)
                .ifPresent(reason -> cancelReason = reason);
    }
}
