package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.RowsBench.at;
import static dev.belay.testkit.rows.RowsBench.bits;
import static dev.belay.testkit.rows.RowsBench.message;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ProcessRows.ProcessHead;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.End;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.SessionRows.Turn;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a consistent store, at least one of each table that a check looks at: a running scope with a record, an open and a settled wait,
 * a session with a committed and an active turn, a process, content, a doubt and an entry of the audit log.
 */
final class ConsistentRows {

    /** The SHA-256 of the letters abc, from the standard that defines it. */
    static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    static final String FIRST_TURN = "turn/" + bits(7) + "/1";
    static final String SECOND_TURN = "turn/" + bits(7) + "/2";
    private static final Json JSON = Json.string("x");

    /** What each row of the audit log says. */
    static final AuditEntry.Note AUDITED = AuditEntry.Note.of(new Actor("a", "test"), "pause", "store", null);

    private ConsistentRows() {}

    static void put(Unit unit, String owner) {
        unit.put(StoreRows.SECRETS, new StoreRows.SecretRow("store", 1, new byte[32]));
        putScope(unit, owner);
        putSession(unit);
        putProcess(unit);
        unit.put(StoreRows.CONTENTS, new StoreRows.Content(ABC, 3, at(1)));
        unit.put(StoreRows.BYTES, new StoreRows.Bytes(ABC, new byte[]{'a', 'b', 'c'}));
        unit.put(StoreRows.KEPT, new StoreRows.Kept("run", ABC + " text/plain", ABC, at(1)));
        unit.put(StoreRows.COUNTERS, new Counter("store", "doubt", 1));
        String digest = AuditEntry.BEFORE_FIRST;
        for (int place = 1; place <= 3; place++) {
            AuditEntry entry = AuditEntry.after(digest, place, at(1), AUDITED);
            unit.put(OperatorRows.AUDIT, new OperatorRows.Audit(entry));
            digest = entry.digest();
        }
        unit.put(StoreRows.COUNTERS, new Counter("store", "audit", 3, digest));
        unit.put(OperatorRows.DOUBTS, doubt(1));
        unit.put(ScopeRows.RESOURCES, new ScopeRows.Resource("account", owner, "run", "call/1", 1));
    }

    private static void putScope(Unit unit, String owner) {
        unit.put(ScopeRows.SCOPES, running(owner, 1, 2, 1));
        unit.put(ScopeRows.INPUTS, new ScopeRows.Input("run", JSON));
        unit.put(ScopeRows.EFFECTS, effect(1, ABC));
        unit.put(ScopeRows.WAITS, named("open", null));
        unit.put(ScopeRows.WAITS, named("settled", JSON));
        unit.put(ScopeRows.KEYS, new ScopeRows.WaitKey("run", "open", "k", null, null).open(at(1)));
        unit.put(ScopeRows.AWAITED,
                new ScopeRows.Awaited("run", 1, new Awaiting(Awaiting.Thing.MODEL, "m", at(1))));
        unit.put(ScopeRows.LATE, new ScopeRows.Late("run", "call/1", null, ABC, at(1)));
    }

    /** The head of the running scope, with what it counts. */
    static Scope running(@Nullable String owner, int effects, int waits, int completions) {
        return new Scope("run", "batch@1", Status.RUNNING, owner, 1, 0, bits(1), 1, at(1), null, null, null,
                effects, waits, completions, false);
    }

    static Effect effect(long fence, String output) {
        return new Effect("run", new EffectRow("call/1", 1, "call", "h", JSON, EffectRow.Status.STARTED, null,
                null, null, null, null, fence), output, at(1), at(1));
    }

    static Wait named(String name, @Nullable Json resolution) {
        return new Wait("run", name, OpenWait.Kind.COMPLETION, true, null, null, resolution,
                resolution == null ? null : at(2));
    }

    private static void putSession(Unit unit) {
        unit.put(SessionRows.SESSIONS, session(1, 2L, 2, 1, 3, 1));
        unit.put(SessionRows.INCARNATIONS, new SessionRows.Named(bits(7), "s"));
        unit.put(SessionRows.ARRIVALS, arrived("one", 1, 1L));
        unit.put(SessionRows.ARRIVALS, arrived("two", 2, 2L));
        unit.put(SessionRows.ARRIVALS, arrived("three", 3, null));
        unit.put(SessionRows.TURNS, turn(1, "one", end(2, 1)));
        unit.put(SessionRows.TURNS, turn(2, "two", null));
        unit.put(SessionRows.MESSAGES, message("s", 0));
        unit.put(SessionRows.MESSAGES, message("s", 1));
        unit.put(SessionRows.CALLS, new SessionRows.Call("s", 0, 1, null, ABC));
        unit.put(ScopeRows.SCOPES, turnScope(FIRST_TURN, Status.ENDED));
        unit.put(ScopeRows.INPUTS, new ScopeRows.Input(FIRST_TURN, JSON));
        unit.put(ScopeRows.RESULTS, new ScopeRows.Result(FIRST_TURN, null, ABC));
        unit.put(ScopeRows.SCOPES, turnScope(SECOND_TURN, Status.READY));
        unit.put(ScopeRows.INPUTS, new ScopeRows.Input(SECOND_TURN, JSON));
    }

    static Session session(long revision, @Nullable Long active, long messages, int waiting, long lastPlace,
            long calls) {
        return new Session("s", bits(7), revision, active, false, 1, messages, waiting, lastPlace, calls,
                at(1), at(2));
    }

    static Arrived arrived(String id, long place, @Nullable Long turn) {
        return new Arrived("s", new Arrival(id, Arrival.Kind.INPUT, "h", JSON), place, turn, at(1));
    }

    static Turn turn(long number, String input, @Nullable End end) {
        return new Turn("s", number, input, at(1), true, end);
    }

    static End end(int messages, int calls) {
        return new End("receipt", null, null, JSON, 0, messages, 0, calls, at(2));
    }

    static Scope turnScope(String id, Status status) {
        return new Scope(id, "turn/1", status, null, 1, 0, bits(1), 1, at(1), null, null, null, 0, 0, 0,
                false);
    }

    private static void putProcess(Unit unit) {
        unit.put(ProcessRows.PROCESSES, process(1, 1));
        unit.put(ProcessRows.EVENTS, event(1));
        unit.put(ProcessRows.WATCHERS, new ProcessRows.Watcher("p", "token"));
        unit.put(ProcessRows.GRANTS, new ProcessRows.Grant("p", "s", 1));
        unit.put(ScopeRows.SCOPES, new Scope("process/p", "process/1", Status.PARKED, null, 1, 0, bits(1), 1,
                at(1), at(9), null, null, 0, 0, 0, false));
        unit.put(ScopeRows.INPUTS, new ScopeRows.Input("process/p", JSON));
    }

    static ProcessHead process(long events, int watchers) {
        return new ProcessHead("p", 1, "h", at(1), null, null, events, watchers);
    }

    static ProcessRows.Event event(long place) {
        return new ProcessRows.Event("p", new ProcessEvent(place, "e", "type", JSON, at(1)));
    }

    static DoubtRow doubt(long place) {
        return new DoubtRow("d", place, at(1), "run", "call/1", null, "g", null, null, null, "", true, JSON,
                null, null);
    }
}
