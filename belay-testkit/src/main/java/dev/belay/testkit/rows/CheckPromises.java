package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.ConsistentRows.ABC;
import static dev.belay.testkit.rows.ConsistentRows.FIRST_TURN;
import static dev.belay.testkit.rows.ConsistentRows.SECOND_TURN;
import static dev.belay.testkit.rows.ConsistentRows.arrived;
import static dev.belay.testkit.rows.ConsistentRows.doubt;
import static dev.belay.testkit.rows.ConsistentRows.effect;
import static dev.belay.testkit.rows.ConsistentRows.end;
import static dev.belay.testkit.rows.ConsistentRows.event;
import static dev.belay.testkit.rows.ConsistentRows.named;
import static dev.belay.testkit.rows.ConsistentRows.process;
import static dev.belay.testkit.rows.ConsistentRows.running;
import static dev.belay.testkit.rows.ConsistentRows.session;
import static dev.belay.testkit.rows.ConsistentRows.turn;
import static dev.belay.testkit.rows.ConsistentRows.turnScope;
import static dev.belay.testkit.rows.RowsBench.at;
import static dev.belay.testkit.rows.RowsBench.bits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.check.StoreCheck;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What {@link StoreCheck} finds in rows whose checksums are right and whose values contradict each other. */
interface CheckPromises {

    RowsBench bench();

    /** Changes rows, and what a check says of them first. */
    record Damage(String says, Consumer<Unit> change) {}

    @Test
    default void consistentRowsAreFoundConsistent() {
        Rows rows = bench().open();
        bench().write(rows, unit -> ConsistentRows.put(unit, rows.owner()));

        assertThat(StoreCheck.of(rows::read, 9)).isEmpty();
    }

    @Test
    default void eachContradictionIsFound() {
        Rows rows = bench().open();
        for (Damage damage : damages(rows.owner())) {
            bench().write(rows, unit -> ConsistentRows.put(unit, rows.owner()));
            try {
                bench().write(rows, damage.change());
            } catch (JournalException refused) {
                assertThat(refused.isDamage()).as("the store itself refuses such rows").isTrue();
                continue;
            }

            assertThat(StoreCheck.of(rows::read, 99)).extracting(Inconsistency::toString)
                    .anySatisfy(found -> assertThat(found).startsWith(damage.says()));
        }
    }

    @Test
    default void aCheckEndsWhenItHasFoundEnough() {
        Rows rows = bench().open();
        bench().write(rows, unit -> List.of("a", "b", "c")
                .forEach(id -> unit.put(ScopeRows.INPUTS, new ScopeRows.Input(id, Json.EMPTY_OBJECT))));

        assertThat(StoreCheck.of(rows::read, 2)).hasSize(2);
    }

    private static List<Damage> damages(String owner) {
        List<Damage> all = new ArrayList<>(scopes(owner));
        all.addAll(sessions());
        all.addAll(others());
        return all;
    }

    /** In an order in which a row that one adds does not hide the next. */
    private static List<Damage> scopes(String owner) {
        return List.of(
                new Damage("scope run: it says 2 records, and there are 1",
                        unit -> unit.put(ScopeRows.SCOPES, running(owner, 2, 2, 1))),
                new Damage("scope run: it says 1 waits, and there are 2",
                        unit -> unit.put(ScopeRows.SCOPES, running(owner, 1, 1, 1))),
                new Damage("scope run: it says 0 open completions, and there are 1",
                        unit -> unit.put(ScopeRows.SCOPES, running(owner, 1, 2, 0))),
                new Damage("scope run: its owner ghost is not known",
                        unit -> unit.put(ScopeRows.SCOPES, running("ghost", 1, 2, 1))),
                new Damage("scope run: it is RUNNING and its owner is null",
                        unit -> unit.put(ScopeRows.SCOPES, running(null, 1, 2, 1))),
                new Damage("scope run: what it started from is missing",
                        unit -> unit.delete(ScopeRows.INPUTS, "run", null)),
                new Damage("scope run: the secret 1 of its keys is missing",
                        unit -> unit.delete(StoreRows.SECRETS, "store", 1L)),
                new Damage("scope " + FIRST_TURN + ": it is ENDED and has no result",
                        unit -> unit.delete(ScopeRows.RESULTS, FIRST_TURN, null)),
                new Damage("effect run call/1: its fence 2 is beyond that of its scope, 1",
                        unit -> unit.put(ScopeRows.EFFECTS, effect(2, ABC))),
                new Damage("effect run call/1: it refers to the content missing",
                        unit -> unit.put(ScopeRows.EFFECTS, effect(1, "missing"))),
                new Damage("awaited run: its fence 5 is beyond", unit -> unit.put(ScopeRows.AWAITED,
                        new ScopeRows.Awaited("run", 5,
                                new Awaiting(Awaiting.Thing.MODEL, "m", at(1))))),
                new Damage("wait run open: it is open and has no key",
                        unit -> unit.delete(ScopeRows.KEYS, "run", "open")),
                new Damage("wait run open: it is settled and has a key",
                        unit -> unit.put(ScopeRows.WAITS, named("open", Json.EMPTY_OBJECT))),
                new Damage("wait_key run open: it is listed as open and its wait is missing",
                        unit -> unit.delete(ScopeRows.WAITS, "run", "open")),
                new Damage("effect run call/1: its scope is missing",
                        unit -> unit.delete(ScopeRows.SCOPES, "run", null)),
                new Damage("wait run open: its scope is missing",
                        unit -> unit.delete(ScopeRows.SCOPES, "run", null)),
                new Damage("late run call/1: its scope is missing",
                        unit -> unit.delete(ScopeRows.SCOPES, "run", null)));
    }

    private static List<Damage> sessions() {
        return List.of(
                new Damage("session s: it says 3 messages, and there are 2",
                        unit -> unit.put(SessionRows.SESSIONS, session(1, 2L, 3, 1, 3, 1))),
                new Damage("session s: it says 2 arrivals that wait, and there are 1",
                        unit -> unit.put(SessionRows.SESSIONS, session(1, 2L, 2, 2, 3, 1))),
                new Damage("session s: it says 0 calls in the ledger, and there are 1",
                        unit -> unit.put(SessionRows.SESSIONS, session(1, 2L, 2, 1, 3, 0))),
                new Damage("arrival s three: its place 3 is beyond the last one, 2",
                        unit -> unit.put(SessionRows.SESSIONS, session(1, 2L, 2, 1, 2, 1))),
                new Damage("arrival s two: its turn 2 does not exist",
                        unit -> unit.put(SessionRows.SESSIONS, session(1, null, 2, 1, 3, 1))),
                new Damage("session s: its active turn is 3 and its last one 1",
                        unit -> unit.put(SessionRows.SESSIONS, session(1, 3L, 2, 1, 3, 1))),
                new Damage("arrival s two: another arrival has its place 3",
                        unit -> unit.put(SessionRows.ARRIVALS, arrived("two", 3, 2L))),
                new Damage("turn s 2: its input two is not among the arrivals",
                        unit -> unit.put(SessionRows.ARRIVALS, arrived("two", 2, 1L))),
                new Damage("turn s 1: it has no receipt",
                        unit -> unit.put(SessionRows.TURNS, turn(1, "one", null))),
                new Damage("turn s 2: it has a receipt and is not committed",
                        unit -> unit.put(SessionRows.TURNS, turn(2, "two", end(0, 0)))),
                new Damage("turn s 1: it says 1 messages, and there are 2",
                        unit -> unit.put(SessionRows.TURNS, turn(1, "one", end(1, 1)))),
                new Damage("turn s 1: it says 2 calls in the ledger, and there are 1",
                        unit -> unit.put(SessionRows.TURNS, turn(1, "one", end(2, 2)))),
                new Damage("session s: it says 2 turns, and there are 1",
                        unit -> unit.delete(SessionRows.TURNS, "s", 1L)),
                new Damage("message s 1: it stands behind a gap",
                        unit -> unit.delete(SessionRows.MESSAGES, "s", 0L)),
                new Damage("ledger s 0: it refers to the content gone",
                        unit -> unit.put(SessionRows.CALLS, new SessionRows.Call("s", 0, 1, null, "gone"))),
                new Damage("turn s 2: its scope is missing",
                        unit -> unit.delete(ScopeRows.SCOPES, SECOND_TURN, null)),
                new Damage("turn s 1: it is committed and its scope is READY",
                        unit -> unit.put(ScopeRows.SCOPES, turnScope(FIRST_TURN, Status.READY))),
                new Damage("session s: its incarnation " + bits(7) + " names t",
                        unit -> unit.put(SessionRows.INCARNATIONS, new SessionRows.Named(bits(7), "t"))),
                new Damage(
                        "incarnation " + bits(7) + ": the session s has another incarnation, or is missing",
                        unit -> unit.delete(SessionRows.SESSIONS, "s", null)),
                new Damage("message s 0: its session is missing",
                        unit -> unit.delete(SessionRows.SESSIONS, "s", null)),
                new Damage("process_grant p s: its session is missing",
                        unit -> unit.delete(SessionRows.SESSIONS, "s", null)));
    }

    private static List<Damage> others() {
        return List.of(
                new Damage("process p: it says 2 events, and there are 1",
                        unit -> unit.put(ProcessRows.PROCESSES, process(2, 1))),
                new Damage("process p: it says 0 watchers, and there are 1",
                        unit -> unit.put(ProcessRows.PROCESSES, process(1, 0))),
                new Damage("process_event p e: its place 2 is taken, or beyond",
                        unit -> unit.put(ProcessRows.EVENTS, event(2))),
                new Damage("process p: its scope is missing",
                        unit -> unit.delete(ScopeRows.SCOPES, "process/p", null)),
                new Damage("process_event p e: its process is missing",
                        unit -> unit.delete(ProcessRows.PROCESSES, "p", null)),
                new Damage("doubt d: its place 9 is beyond the counter, 1",
                        unit -> unit.put(OperatorRows.DOUBTS, doubt(9))),
                new Damage("doubt d: it is open and its record is missing",
                        unit -> unit.delete(ScopeRows.EFFECTS, "run", "call/1")),
                new Damage("audit store 3: its place 3 is beyond the counter, 0",
                        unit -> unit.delete(StoreRows.COUNTERS, "store", "audit")),
                new Damage("audit store 2: it is missing",
                        unit -> unit.delete(OperatorRows.AUDIT, "store", 2L)),
                new Damage("audit store 3: it is missing",
                        unit -> unit.delete(OperatorRows.AUDIT, "store", 3L)),
                new Damage("audit store 2: it was changed, or the row before it was",
                        unit -> unit.put(OperatorRows.AUDIT, forged())),
                new Damage("audit store 3: it was changed, or its counter was",
                        unit -> unit.put(StoreRows.COUNTERS,
                                new StoreRows.Counter("store", "audit", 3, "another"))),
                new Damage("resource account: its holder is named in part",
                        unit -> unit.put(ScopeRows.RESOURCES,
                                new ScopeRows.Resource("account", null, "run", "call/1", 1))),
                new Damage("content_bytes " + ABC + ": its bytes have another hash",
                        unit -> unit.put(StoreRows.BYTES,
                                new StoreRows.Bytes(ABC, new byte[]{'a', 'b', 'd'}))),
                new Damage("content_bytes " + ABC + ": it has 3 bytes, and its content says another size",
                        unit -> unit.put(StoreRows.CONTENTS, new StoreRows.Content(ABC, 4, at(1)))),
                new Damage("content " + ABC + ": its content_bytes is missing",
                        unit -> unit.delete(StoreRows.BYTES, ABC, null)),
                new Damage("kept run " + ABC + " text/plain: it refers to the content " + ABC
                        + ", which is missing", unit -> unit.delete(StoreRows.CONTENTS, ABC, null)));
    }

    /** The second row with another actor, and the digest of the right one. */
    private static OperatorRows.Audit forged() {
        var note = AuditEntry.Note.of(new Actor("b", "test"), "pause", "store", null);
        AuditEntry first = AuditEntry.after(AuditEntry.BEFORE_FIRST, 1, at(1), ConsistentRows.AUDITED);
        AuditEntry second = AuditEntry.after(first.digest(), 2, at(1), ConsistentRows.AUDITED);
        return new OperatorRows.Audit(new AuditEntry(2, at(1), note, second.digest()));
    }
}
