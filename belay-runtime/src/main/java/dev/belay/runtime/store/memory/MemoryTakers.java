package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.ServedKinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks for work in memory, and takes it with one write for each scope. Between looking and taking another owner may have been
 * faster, so each write looks again.
 *
 * @param records where
 * @param owner for whom
 * @param writer by whom
 * @param served which kinds
 */
record MemoryTakers(InMemoryRecords records, String owner, MemoryWriter writer, ServedKinds served) {

    List<Claim> ready(int most, int limit) {
        List<Claim> claims = new ArrayList<>();
        while (claims.size() < most) {
            Optional<ScopeId> next = writer.read(rows -> rows.takeable(records.living(), served));
            if (next.isEmpty()) {
                break;
            }
            ScopeId scope = next.get();
            writer.write("take " + scope, rows -> takeIfFree(rows, scope, limit))
                    .ifPresent(claims::add);
        }
        return claims;
    }

    private Optional<Claim> takeIfFree(MemoryTables rows, ScopeId scope, int limit) {
        MemoryScope row = rows.scope(scope);
        return row != null && isFree(row) && mayEnter(rows, row, limit, "")
                ? Optional.of(take(rows, row))
                : Optional.empty();
    }

    private boolean isFree(MemoryScope row) {
        return row.status() == Status.READY
                || (row.status() == Status.RUNNING && !records.living().contains(row.owner()));
    }

    /** Takes one scope by its name. */
    Optional<Claim> claim(MemoryTables rows, ScopeId scope) {
        MemoryScope row = rows.scope(scope);
        return row != null && (isFree(row) || row.status() == Status.PARKED)
                ? Optional.of(take(rows, row.entries(0)))
                : Optional.empty();
    }

    /** Whether a scope may be entered once more; otherwise it is stuck now. */
    static boolean mayEnter(MemoryTables rows, MemoryScope row, int limit, String fault) {
        if (row.entries() < limit) {
            return true;
        }
        rows.put(row.stuck(ScopeState.enteredTooOften(row.entries(), fault)));
        return false;
    }

    List<Claim> due(int most, Instant now) {
        List<Claim> claims = new ArrayList<>();
        while (claims.size() < most) {
            Optional<ScopeId> next = writer.read(rows -> rows.due(now));
            if (next.isEmpty()) {
                break;
            }
            ScopeId scope = next.get();
            writer.write("due " + scope, rows -> takeIfDue(rows, scope, now)).ifPresent(claims::add);
        }
        return claims;
    }

    private Optional<Claim> takeIfDue(MemoryTables rows, ScopeId scope, Instant now) {
        MemoryScope row = rows.scope(scope);
        if (row == null) {
            return Optional.empty();
        }
        List<WaitState> timedOut = MemoryWaits.timeOut(rows, scope, now);
        boolean goesOn = new Deadline(row.wakeAt()).passed(now)
                || timedOut.stream().anyMatch(wait -> MemoryWaits.goesOn(rows, scope, wait));
        MemoryScope counted = timedOut.isEmpty() ? row : row.entries(0);
        if (row.status() == Status.PARKED && goesOn) {
            return wake(rows, counted);
        }
        rows.put(counted);
        return Optional.empty();
    }

    /** Settles a wait; the right to run its scope, if that wakes it and it is taken. */
    @Nullable
    Claim settle(MemoryTables rows, MemoryScope row, WaitState wait, Resolution value, boolean wakes,
            boolean take) {
        MemoryWaits.settle(rows, row.id(), wait, value);
        MemoryScope counted = row.entries(0);
        if (wakes && take) {
            return wake(rows, counted).orElse(null);
        }
        rows.put(wakes ? counted.ready() : counted);
        return null;
    }

    /** A parked scope goes on: here, or wherever its kind is served. */
    Optional<Claim> wake(MemoryTables rows, MemoryScope row) {
        if (served.contains(row.origin().input().kind())) {
            return Optional.of(take(rows, row));
        }
        rows.put(row.ready());
        return Optional.empty();
    }

    /** Makes the owner run a scope. */
    Claim take(MemoryTables rows, MemoryScope row) {
        MemoryScope taken = row.taken(owner);
        rows.put(taken);
        return row.status() == Status.RUNNING ? taken.claim().ofTheDead() : taken.claim();
    }
}
