package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import java.time.Instant;
import java.util.List;

/** What opening and settling do to the waits of a scope in memory. */
final class MemoryWaits {

    private MemoryWaits() {}

    static boolean isSettled(MemoryTables rows, ScopeId scope, WaitName name) {
        WaitState wait = rows.wait(scope, name);
        return wait != null && wait.resolution() != null;
    }

    /** What was recorded when a wait was opened first holds for good. */
    static void open(MemoryTables rows, ScopeId scope, OpenWait wait) {
        WaitState known = rows.wait(scope, wait.name());
        if (known == null || !known.opened()) {
            rows.put(scope, new WaitState(wait.name(), wait.kind(), wait.deadline(), wait.announcement(),
                    true, known == null ? null : known.resolution()));
        }
    }

    /** A wait that is settled before anybody came to it. */
    static WaitState early(WaitName name) {
        return new WaitState(name, OpenWait.Kind.COMPLETION, null, null, false, null);
    }

    static void settle(MemoryTables rows, ScopeId scope, WaitState wait, Resolution value) {
        rows.put(scope, new WaitState(wait.name(), wait.kind(), wait.deadline(), wait.announcement(),
                wait.opened(), value));
    }

    /** Settles what is open as cancelled. */
    static void settleAll(MemoryTables rows, ScopeId scope, String reason) {
        for (WaitState wait : rows.waits(scope)) {
            if (wait.resolution() == null) {
                settle(rows, scope, wait, new Resolution.Cancelled(reason));
            }
        }
    }

    /** Settles what is open and past its deadline; which ones. */
    static List<WaitState> timeOut(MemoryTables rows, ScopeId scope, Instant now) {
        List<WaitState> late = rows.waits(scope)
                .stream()
                .filter(wait -> wait.resolution() == null && new Deadline(wait.deadline()).passed(now))
                .toList();
        late.forEach(wait -> settle(rows, scope, wait, new Resolution.TimedOut()));
        return late;
    }

    /** Whether a parked scope goes on when a wait is settled. */
    static boolean goesOn(MemoryTables rows, ScopeId scope, WaitState settled) {
        return settled.kind() == OpenWait.Kind.EVENT || rows.waits(scope)
                .stream()
                .noneMatch(wait -> wait.kind() == OpenWait.Kind.COMPLETION && wait.resolution() == null
                        && !wait.name().equals(settled.name()));
    }
}
