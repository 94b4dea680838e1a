package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.RowsBench.at;
import static dev.belay.testkit.rows.RowsBench.bits;
import static dev.belay.testkit.rows.RowsBench.find;
import static dev.belay.testkit.rows.RowsBench.open;
import static dev.belay.testkit.rows.RowsBench.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.ToolEffect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every value comes back as it was written. */
interface ValuePromises extends RowsPromises {

    /** A record without values that may be missing. */
    static EffectRow effect(String key) {
        return new EffectRow(key, 0, "attempt", "ab".repeat(32), Json.TRUE, EffectRow.Status.STARTED, null,
                null, null, null, null, 0);
    }

    /** A row to write. */
    record Sample<R>(Table<R> table, R row) {

        boolean isIn(Rows rows) {
            Key key = table.key(row);
            Object child = key.child();
            R found = child == null
                    ? find(rows, table, key.parent())
                    : find(rows, table, key.parent(), child);
            assertThat(found).as("%s", key)
                    .usingRecursiveComparison()
                    .withEqualsForType(Json::equals, Json.class)
                    .isEqualTo(row);
            return found != null;
        }
    }

    @Test
    default void rowsOfEveryTableComeBack() {
        Rows rows = bench().open();
        List<Sample<?>> samples = new ArrayList<>();
        scopes(samples);
        sessions(samples);
        others(samples);
        bench().write(rows, unit -> samples.forEach(sample -> put(unit, sample)));

        assertThat(samples).allMatch(sample -> sample.isIn(rows));
        Rows other = bench().open();
        assertThat(samples).allMatch(sample -> sample.isIn(other));
    }

    private static <R> void put(Unit unit, Sample<R> sample) {
        unit.put(sample.table, sample.row);
    }

    private static void scopes(List<Sample<?>> into) {
        String name = "größer 😀\u0000'\"";
        into.add(new Sample<>(ScopeRows.SCOPES, ready(name, 1)));
        into.add(new Sample<>(ScopeRows.SCOPES, ready("taken", 1).taken("o", at(2)).cancelled("why")));
        into.add(new Sample<>(ScopeRows.SCOPES,
                ready("parked", 1).parked(at(1).plusNanos(1_500), at(2)).counted(1, 2, 3)));
        into.add(new Sample<>(ScopeRows.INPUTS, new ScopeRows.Input(name, Json.of("{\"a\": [1, 2.50]}"))));
        into.add(new Sample<>(ScopeRows.RESULTS, new ScopeRows.Result("a", Json.NULL, null)));
        into.add(new Sample<>(ScopeRows.RESULTS, new ScopeRows.Result("b", null, "hash")));
        into.add(new Sample<>(ScopeRows.EFFECTS,
                new ScopeRows.Effect(name, effect("k"), "hash", at(1), at(2))));
        into.add(new Sample<>(ScopeRows.EFFECTS, new ScopeRows.Effect("s",
                new EffectRow(name, 7, "attempt", "ab".repeat(32), Json.of("{}"), EffectRow.Status.IN_DOUBT,
                        Json.of("1"), Json.string("ä😀"), "f", ToolEffect.ONCE, "account:7", Long.MAX_VALUE),
                null, at(1), at(2))));
        into.add(new Sample<>(ScopeRows.WAITS, open(name, name, at(3))));
        into.add(new Sample<>(ScopeRows.WAITS, open("s", "w", null).settled(Json.FALSE, at(4))));
        into.add(new Sample<>(ScopeRows.KEYS, new ScopeRows.WaitKey(name, "w", "id", null, Json.TRUE)));
        into.add(new Sample<>(ScopeRows.KEYS,
                new ScopeRows.WaitKey("s", "w", "id", null, null).open(at(3))));
        into.add(new Sample<>(ScopeRows.LATE, new ScopeRows.Late("s", "k", Json.NULL, null, at(1))));
        into.add(new Sample<>(ScopeRows.RESOURCES, new ScopeRows.Resource("r", "o", "s", "k", 3)));
        into.add(new Sample<>(ScopeRows.RESOURCES, new ScopeRows.Resource("free", null, null, null, 4)));
    }

    private static void sessions(List<Sample<?>> into) {
        var empty = SessionRows.Session.empty("s", bits(-1), at(0));
        into.add(new Sample<>(SessionRows.SESSIONS, empty));
        into.add(new Sample<>(SessionRows.SESSIONS,
                SessionRows.Session.empty("t", bits(2), at(0)).arrived(at(1)).begun(1, true, at(2))));
        into.add(new Sample<>(SessionRows.INCARNATIONS, new SessionRows.Named(bits(-1), "s")));
        into.add(new Sample<>(SessionRows.PASTS, new SessionRows.Past("s", Json.TRUE, Json.NULL)));
        long place = 0;
        for (Arrival.Kind kind : Arrival.Kind.values()) {
            place++;
            into.add(new Sample<>(SessionRows.ARRIVALS, new SessionRows.Arrived("s",
                    new Arrival("in" + kind, kind, "ab".repeat(32), Json.TRUE), place,
                    kind == Arrival.Kind.INPUT ? 1L : null, at(1))));
        }
        into.add(new Sample<>(SessionRows.TURNS,
                new SessionRows.Turn("s", 1, "in", at(1), true, null)));
        into.add(new Sample<>(SessionRows.TURNS, new SessionRows.Turn("s", 2, "in", at(1), false,
                new SessionRows.End("r", Json.TRUE, "o", Json.NULL, 0, 2, 3, 4, at(2)))));
        into.add(new Sample<>(SessionRows.TURNS, new SessionRows.Turn("s", 3, "in", at(1), true,
                new SessionRows.End("r", null, "hash", null, 0, 0, 0, 0, at(2)))));
        into.add(new Sample<>(SessionRows.MESSAGES, new SessionRows.Message("s", 0, 0, Json.of("[ 1 ]"))));
        into.add(new Sample<>(SessionRows.CALLS, new SessionRows.Call("s", 0, 1, Json.of("{}"), null)));
    }

    private static void others(List<Sample<?>> into) {
        into.add(new Sample<>(OperatorRows.DOUBTS,
                new OperatorRows.DoubtRow("d", 1, at(0), "s", "k", null, "g",
                        null, null, null, "o", true, Json.TRUE, null, null)));
        into.add(
                new Sample<>(OperatorRows.DOUBTS, new OperatorRows.DoubtRow("e", 2, at(0), "s", "k", "ä", "g",
                        "r", "s w", "h", "o", false, Json.TRUE, Json.NULL, at(1))));
        into.add(new Sample<>(OperatorRows.PAUSES,
                new Pause(Pause.Target.session("a/b"), Actor.PROGRAM, "ä", at(0))));
        into.add(new Sample<>(OperatorRows.HELD, new OperatorRows.Held("tool/pay", "s", at(0))));
        into.add(new Sample<>(OperatorRows.AUDIT, new OperatorRows.Audit(AuditEntry.after("before", 1, at(0),
                new AuditEntry.Note(Actor.PROGRAM, "retry", "s/1", Json.of("{\"reason\": \"ä\"}"))))));
        into.add(new Sample<>(ProcessRows.PROCESSES,
                new ProcessRows.ProcessHead("p", 1, "h", at(0), at(1), "hash", 2, 3)));
        into.add(new Sample<>(ProcessRows.GRANTS, new ProcessRows.Grant("p", "s", 1)));
        into.add(new Sample<>(ProcessRows.EVENTS, new ProcessRows.Event("p",
                new ProcessEvent(1, "key", "type", Json.of("{\"n\":1}"), at(1)))));
        into.add(new Sample<>(ProcessRows.WATCHERS, new ProcessRows.Watcher("p", "token")));
        into.add(new Sample<>(StoreRows.COUNTERS, new StoreRows.Counter("p", "n", -1)));
        into.add(new Sample<>(StoreRows.SECRETS, new StoreRows.SecretRow("", 1, new byte[]{0, -1, 127})));
        into.add(new Sample<>(StoreRows.SECRETS, new StoreRows.SecretRow("", 2, null)));
        into.add(new Sample<>(StoreRows.CONTENTS, new StoreRows.Content("h", 3, at(1))));
        into.add(new Sample<>(StoreRows.BYTES, new StoreRows.Bytes("h", new byte[100_000])));
        into.add(new Sample<>(StoreRows.KEPT, new StoreRows.Kept("k", "ref", "h", at(1))));
    }
}
