package dev.belay.runtime.store.memory;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in memory: durable as long as its {@link InMemoryRecords} are referred to. For tests, and for runtimes that
 * need no more. Thread-safe.
 *
 * <p>Concurrency: {@link MemoryWriter} lets one write through at a time. Recovery: {@link MemoryTables} takes back what was not
 * committed.
 */
public final class InMemoryJournal implements Journal {

    private final InMemoryRecords records;
    private final String owner;
    private final MemoryWriter writer;
    private final MemoryTakers takers;
    private final ServedKinds served = new ServedKinds();

    InMemoryJournal(InMemoryRecords records, String owner, JournalProbe probe) {
        this.records = records;
        this.owner = owner;
        writer = new MemoryWriter(records, owner, probe);
        takers = new MemoryTakers(records, owner, writer, served);
    }

    /**
     * Writes to scopes and to rows elsewhere, together or not at all. For stores that keep more than a journal.
     *
     * @param name what the probe is told
     */
    public <T> T transact(String name, Function<MemoryTransaction, T> statements) {
        return writer.write(name, rows -> statements.apply(new MemoryTransaction(records, takers, rows)));
    }

    /** Reads rows elsewhere that {@link #transact} changes, while no write is under way. */
    public <T> T look(Supplier<T> reading) {
        return writer.read(rows -> reading.get());
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        return transact("submit " + scope, rows -> rows.submit(scope, input, take));
    }

    @Override
    public void serve(Set<String> kinds) {
        served.set(kinds);
    }

    @Override
    public Optional<Claim> claim(ScopeId scope, Instant at) {
        return writer.write("take " + scope, rows -> takers.claim(rows, scope));
    }

    @Override
    public List<Claim> takeReady(int most, int limit, Instant at) {
        return takers.ready(most, limit);
    }

    @Override
    public Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at) {
        return writer.write("reenter " + claim.scope(), rows -> {
            MemoryScope row = claimed(rows, claim);
            if (row == null || !MemoryTakers.mayEnter(rows, row, limit, fault)) {
                return Optional.empty();
            }
            MemoryScope entered = row.entries(row.entries() + 1);
            rows.put(entered);
            return Optional.of(entered.claim());
        });
    }

    @Override
    public void giveBack(Claim claim, Instant at) {
        writer.write("give-back " + claim.scope(),
                rows -> replace(rows, claim, row -> row.entries(Math.max(0, row.entries() - 1)).ready()));
    }

    @Override
    public List<EffectRow> effects(ScopeId scope) {
        return writer.read(rows -> rows.effects(scope));
    }

    @Override
    public Written write(Claim claim, EffectWrite write) {
        EffectRow row = write.row();
        LargeResult large = row.result() == null ? null : LargeResult.of(row.result()).orElse(null);
        return writer.write("effect " + row.key() + " " + row.status(), rows -> {
            MemoryScope scope = claimed(rows, claim);
            if (scope == null) {
                return new Written(Refusal.FENCED, 0);
            }
            EffectRow.Status existing = rows.effectStatus(scope.id(), row.key());
            if (existing != null && existing != EffectRow.Status.STARTED) {
                return new Written(Refusal.CONFLICT, 0);
            }
            Written taken = write.takes() == null
                    ? new Written(null, 0)
                    : holder(scope.id(), row.key()).take(rows, write.takes(), records.living());
            if (taken.refusal() == null) {
                rows.put(scope.id(), row, claim.fence(), large, write.at());
                if (write.releases() != null) {
                    holder(scope.id(), row.key()).release(rows, write.releases());
                }
                write.opens().forEach(wait -> MemoryWaits.open(rows, scope.id(), wait));
                if (scope.entries() != 0) {
                    rows.put(scope.entries(0));
                }
            }
            return taken;
        });
    }

    @Override
    public Written take(Claim claim, String resource, String key, Instant at) {
        return writer.write("hold " + resource, rows -> claimed(rows, claim) == null
                ? new Written(Refusal.FENCED, 0)
                : holder(claim.scope(), key).take(rows, resource, records.living()));
    }

    private MemoryHolder holder(ScopeId scope, String key) {
        return new MemoryHolder(owner, scope, key);
    }

    @Override
    public void release(String resource, ScopeId scope, String key) {
        writer.write("release " + resource, rows -> holder(scope, key).release(rows, resource));
    }

    @Override
    public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at) {
        return writer.write("park " + claim.scope(), rows -> {
            MemoryScope row = claimed(rows, claim);
            if (row == null) {
                return new Parking.Fenced();
            }
            boolean cancelled = row.cancelReason() != null && !cancelSeen;
            boolean settled = known.stream().anyMatch(name -> MemoryWaits.isSettled(rows, row.id(), name))
                    || waits.stream().anyMatch(wait -> MemoryWaits.isSettled(rows, row.id(), wait.name()));
            if (cancelled || settled) {
                return new Parking.Again();
            }
            waits.forEach(wait -> MemoryWaits.open(rows, row.id(), wait));
            rows.put(row.parked(wakeAt));
            return new Parking.Parked();
        });
    }

    @Override
    public boolean end(Claim claim, Json result, Instant at) {
        return transact("end " + claim.scope(), rows -> rows.end(claim, result, at));
    }

    @Override
    public boolean stick(Claim claim, String reason, Instant at) {
        return writer.write("stick " + claim.scope(),
                rows -> replace(rows, claim, row -> row.entries(0).stuck(reason)));
    }

    @Override
    public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
            boolean take, Instant at) {
        return writer.write("resolve " + name, rows -> {
            MemoryScope row = rows.scope(scope);
            if (row == null || !row.origin().incarnation().equals(incarnation)) {
                return new Settlement.Unknown();
            }
            WaitState wait = rows.wait(scope, name);
            if (wait != null && wait.resolution() != null) {
                return new Settlement.Lost(wait.resolution());
            }
            if (row.status() == Status.ENDED) {
                return new Settlement.Unknown();
            }
            WaitState open = wait != null ? wait : MemoryWaits.early(name);
            boolean wakes = row.status() == Status.PARKED && MemoryWaits.goesOn(rows, scope, open);
            return new Settlement.Accepted(takers.settle(rows, row, open, value, wakes, take));
        });
    }

    @Override
    public List<Claim> takeDue(int most, Instant now) {
        return takers.due(most, now);
    }

    @Override
    public Optional<Instant> nextDue() {
        return writer.read(MemoryTables::nextDue);
    }

    @Override
    public Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at) {
        return writer.write("cancel " + scope, rows -> {
            MemoryScope row = rows.scope(scope);
            if (row == null) {
                return new Cancelling(new CancelReceipt.Unknown(), null);
            }
            if (row.result() != null) {
                return new Cancelling(new CancelReceipt.AlreadyEnded(row.result()), null);
            }
            if (row.cancelReason() != null) {
                return new Cancelling(new CancelReceipt.AlreadyRequested(row.cancelReason()), null);
            }
            MemoryWaits.settleAll(rows, scope, reason);
            MemoryScope cancelled = row.entries(0).cancelled(reason);
            return new Cancelling(new CancelReceipt.Requested(), row.status() == Status.PARKED
                    ? wake(rows, cancelled, take)
                    : leave(rows, cancelled));
        });
    }

    @Override
    public void late(ScopeId scope, String key, Json result, Instant at) {
        var row = new LateResult(new EffectKey(key), result, at);
        writer.write("late " + key, rows -> {
            if (rows.scope(scope) != null) {
                rows.putFirst(scope, row);
            }
            return true;
        });
    }

    @Override
    public List<LateResult> lateResults(ScopeId scope) {
        return writer.read(rows -> rows.late(scope));
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return writer.read(rows -> Optional.ofNullable(rows.scope(scope)).map(MemoryScope::state));
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return writer.read(rows -> rows.waits(scope));
    }

    @Override
    public List<ScopeState> stuck() {
        return writer.read(rows -> rows.stuck().stream().map(MemoryScope::state).toList());
    }

    @Override
    public boolean retry(ScopeId scope, Instant at) {
        return writer.write("retry " + scope, rows -> {
            MemoryScope row = rows.scope(scope);
            boolean stuck = row != null && row.status() == Status.STUCK;
            if (row != null && stuck) {
                rows.put(row.entries(0).ready());
            }
            return stuck;
        });
    }

    @Override
    public boolean abandon(ScopeId scope, Json result, Instant at) {
        return transact("abandon " + scope, rows -> rows.abandon(scope, result, at));
    }

    @Override
    public boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at) {
        if (writer.read(rows -> rows.outputs().isKept(keeper, bytes.reference()))) {
            return true;
        }
        return writer.write("keep " + bytes.reference().hash(), rows -> {
            boolean held = claimed(rows, claim) != null;
            if (held) {
                rows.outputs().keep(keeper, bytes, at);
            }
            return held;
        });
    }

    @Override
    public Optional<byte[]> kept(String keeper, Attachments.Reference reference) {
        return writer.read(rows -> rows.outputs().kept(keeper, reference)).map(KeptBytes::bytes);
    }

    @Override
    public long version() {
        return writer.read(rows -> records.commitsOfOthers(owner));
    }

    @Override
    public Secret currentSecret() {
        return writer.read(MemoryTables::latestSecret);
    }

    @Override
    public Optional<Secret> secret(long id) {
        return writer.read(rows -> Optional.ofNullable(rows.secret(id)));
    }

    @Override
    public Secret rotateSecret() {
        return writer.write("rotate-secret", rows -> rows.addSecret(records.secretBytes()));
    }

    @Override
    public void revokeSecret(long id) {
        writer.write("revoke-secret", rows -> {
            if (rows.latestSecret().id() == id) {
                rows.addSecret(records.secretBytes());
            }
            rows.removeSecret(id);
            return true;
        });
    }

    @Override
    public int collectOutputs(Instant before) {
        if (writer.read(rows -> rows.outputs().unused(before)).isEmpty()) {
            return 0;
        }
        return writer.write("collect outputs", rows -> {
            List<String> unused = rows.outputs().unused(before);
            unused.forEach(rows.outputs()::remove);
            return unused.size();
        });
    }

    @Override
    public int collectEffects(Instant endedBefore) {
        if (writer.read(rows -> rows.collectable(endedBefore)).isEmpty()) {
            return 0;
        }
        return writer.write("collect effects",
                rows -> rows.collectable(endedBefore).stream().mapToInt(rows::collect).sum());
    }

    @Override
    public void close() {
        writer.close();
    }

    private @Nullable Claim wake(MemoryTables rows, MemoryScope row, boolean take) {
        return take ? takers.wake(rows, row).orElse(null) : leave(rows, row.ready());
    }

    private static @Nullable Claim leave(MemoryTables rows, MemoryScope row) {
        rows.put(row);
        return null;
    }

    /** The scope of a claim that still holds, or null. */
    private @Nullable MemoryScope claimed(MemoryTables rows, Claim claim) {
        MemoryScope row = rows.scope(claim.scope());
        return row != null && row.heldBy(owner, claim.fence()) ? row : null;
    }

    private boolean replace(MemoryTables rows, Claim claim, Function<MemoryScope, MemoryScope> change) {
        MemoryScope row = claimed(rows, claim);
        if (row != null) {
            rows.put(change.apply(row));
        }
        return row != null;
    }
}
