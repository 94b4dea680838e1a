package dev.belay.runtime.store.memory;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.Submission;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One write of an {@link InMemoryJournal}, for stores that keep more than a journal: what they do to scopes and to rows of their
 * own happens together or not at all. Confined to the call of {@link InMemoryJournal#transact} that made it.
 */
public final class MemoryTransaction {

    private final InMemoryRecords records;
    private final String owner;
    private final MemoryTakers takers;
    private final MemoryTables rows;

    MemoryTransaction(InMemoryRecords records, MemoryTakers takers, MemoryTables rows) {
        this.records = records;
        this.owner = takers.owner();
        this.takers = takers;
        this.rows = rows;
    }

    /** As {@link Journal#submit}. */
    public Submission submit(ScopeId scope, ScopeInput input, boolean take) {
        MemoryScope known = rows.scope(scope);
        if (known != null) {
            ScopeInput recorded = known.origin().input();
            return recorded.equals(input) ? new Submission.Known() : new Submission.Conflict(recorded);
        }
        var origin = new MemoryScope.Origin(scope, input, records.incarnation(), rows.latestSecret().id());
        MemoryScope submitted = MemoryScope.submitted(origin);
        MemoryScope row = take ? submitted.taken(owner) : submitted;
        rows.put(row);
        return new Submission.Created(take ? row.claim() : null);
    }

    /** The incarnation of a scope that is there. */
    public Incarnation incarnation(ScopeId scope) {
        MemoryScope row = rows.scope(scope);
        if (row == null) {
            throw new IllegalStateException("there is no scope " + scope);
        }
        return row.origin().incarnation();
    }

    /** Whether a claim holds. */
    public boolean holds(Claim claim) {
        MemoryScope row = rows.scope(claim.scope());
        return row != null && row.heldBy(owner, claim.fence());
    }

    /** Resets the entries of a scope, as each write with a claim does. */
    public void touch(ScopeId scope) {
        MemoryScope row = rows.scope(scope);
        if (row != null && row.entries() != 0) {
            rows.put(row.entries(0));
        }
    }

    /** Whether a scope is stuck. */
    public boolean isStuck(ScopeId scope) {
        MemoryScope row = rows.scope(scope);
        return row != null && row.status() == Status.STUCK;
    }

    /** Whether a wait of a scope is settled. */
    public boolean isSettled(ScopeId scope, WaitName name) {
        return MemoryWaits.isSettled(rows, scope, name);
    }

    /**
     * Settles a wait that is not settled, of a scope that is there and has not ended.
     *
     * @return the right to run the scope, if it was parked at this wait and is taken
     */
    public @Nullable Claim settle(ScopeId scope, WaitName name, Resolution value, boolean take) {
        MemoryScope row = Objects.requireNonNull(rows.scope(scope), "scope");
        WaitState wait = rows.wait(scope, name);
        boolean wakes = wait != null && row.status() == Status.PARKED;
        return takers.settle(rows, row, wait == null ? MemoryWaits.early(name) : wait, value, wakes, take);
    }

    /** As {@link Journal#end}. */
    public boolean end(Claim claim, Json result, Instant at) {
        MemoryScope row = rows.scope(claim.scope());
        boolean held = row != null && row.heldBy(owner, claim.fence());
        if (row != null && held) {
            end(row.entries(0).ended(result, at), "the scope has ended");
        }
        return held;
    }

    /** As {@link Journal#abandon}. */
    public boolean abandon(ScopeId scope, Json result, Instant at) {
        MemoryScope row = rows.scope(scope);
        boolean stuck = row != null && row.status() == Status.STUCK;
        if (row != null && stuck) {
            end(row.ended(result, at), "the scope was abandoned");
        }
        return stuck;
    }

    private void end(MemoryScope ended, String why) {
        rows.put(ended);
        MemoryWaits.settleAll(rows, ended.id(), why);
    }

    /** Deletes the scopes whose names begin with something, and all that they keep. Resources they hold are free. */
    public void deleteScopes(String prefix) {
        rows.removeScopes(prefix);
    }

    /** Lets a keeper keep what another one keeps. */
    public void keepToo(String keeper, String from) {
        rows.outputs().keepToo(keeper, from);
    }

    /** Says how a change is taken back that was just made to other rows than those of the journal. */
    public void undo(Runnable reverse) {
        rows.undo(reverse);
    }
}
