package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.RowsBench.at;
import static dev.belay.testkit.rows.RowsBench.bits;
import static dev.belay.testkit.rows.RowsBench.ended;
import static dev.belay.testkit.rows.RowsBench.list;
import static dev.belay.testkit.rows.RowsBench.open;
import static dev.belay.testkit.rows.RowsBench.putAll;
import static dev.belay.testkit.rows.RowsBench.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ProcessRows.Event;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.ProcessRows.ProcessHead;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Late;
import dev.belay.runtime.store.rows.ScopeRows.Result;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.Found;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Content;
import dev.belay.runtime.store.rows.StoreRows.Kept;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An index finds its rows and no others, in its order and between its bounds. */
interface IndexPromises extends RowsPromises {

    @Test
    default void scopesAreFoundByHowTheyStand() {
        Rows rows = bench().open();
        bench().write(rows,
                unit -> putAll(unit, List.of(ready("ready", 1), ready("running", 2).taken("o", at(3)),
                        ready("waking", 4).parked(at(9), at(4)), ready("parked", 4).parked(null, at(4)),
                        ready("stuck", 5).stuck("why", at(5)), ended("ended", 6),
                        ended("collected", 7).without(0, true))));

        assertThat(ids(rows, Selector.found(Index.READY, ""))).containsExactly("ready");
        assertThat(ids(rows, Selector.found(Index.OWNED, "o"))).containsExactly("running");
        assertThat(ids(rows, Selector.found(Index.OWNED, "p"))).isEmpty();
        assertThat(ids(rows, Selector.found(Index.WAKING, ""))).containsExactly("waking");
        assertThat(ids(rows, Selector.found(Index.STUCK, ""))).containsExactly("stuck");
        assertThat(ids(rows, Selector.found(Index.ENDED, ""))).containsExactly("ended");
    }

    private static List<String> ids(Rows rows, Selector<Scope> selector) {
        return list(rows, selector).stream().map(Scope::id).toList();
    }

    @Test
    default void boundsAreUpToAPlace() {
        Rows rows = bench().open();
        bench().write(rows, unit -> putAll(unit,
                List.of(ready("a", 5), ready("b", 4), ready("c", 3), ready("d", 2), ready("e", 1))));

        assertThat(ids(rows, Selector.found(Index.READY, null, null, 9)))
                .containsExactly("e", "d", "c", "b", "a");
        assertThat(ids(rows, Selector.found(Index.READY, null, null, 2))).containsExactly("e", "d");
        assertThat(ids(rows, Selector.found(Index.READY, null, at(2), 9))).containsExactly("e", "d");
        assertThat(ids(rows, Selector.found(Index.READY, null, null, 0))).isEmpty();
    }

    /** In the order of bytes of UTF-8, which is that of code points: the last character of the first plane is before an emoji. */
    @Test
    default void rowsOfOnePlaceComeInTheOrderOfTheirKeys() {
        Rows rows = bench().open();
        List<String> ids = List.of("a", "b", "\uffee", "\ud83d\ude00");
        bench().write(rows, unit -> ids.reversed().forEach(id -> {
            unit.put(ScopeRows.SCOPES, ready(id, 1));
            unit.put(ScopeRows.WAITS, open("s", id, at(1)));
        }));

        assertThat(ids(rows, Selector.found(Index.READY, null, at(1), 9))).isEqualTo(ids);
        assertThat(ids(rows, Selector.found(Index.READY, null, at(1), 2))).containsExactly("a", "b");
        assertThat(list(rows, Selector.found(Index.DUE, null, at(1), 9))).extracting(Wait::name)
                .isEqualTo(ids);
        assertThat(list(rows, Selector.found(Index.OPEN, "s"))).extracting(Wait::name).isEqualTo(ids);
        assertThat(list(rows, Selector.of(ScopeRows.WAITS, "s"))).extracting(Wait::name).isEqualTo(ids);
    }

    /** Several rows may have one moment, so that a page which begins behind it would skip some. */
    @Test
    default void noPageBeginsBehindAMoment() {
        assertThatThrownBy(() -> Selector.found(Index.READY, at(1), null, 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scope_ready");
    }

    @Test
    default void scopesAreFoundByTheirKinds() {
        Rows rows = bench().open();
        bench().write(rows, unit -> putAll(unit, List.of(Scope.submitted("a", "x\"y", bits(1), 1, at(1)),
                Scope.submitted("b", "turn", bits(1), 1, at(2)),
                Scope.submitted("c", "z", bits(1), 1, at(3)))));

        assertThat(ids(rows, kinds(Set.of("x\"y", "z"), 9))).containsExactly("a", "c");
        assertThat(ids(rows, kinds(Set.of("turn", "z"), 1))).containsExactly("b");
        assertThat(ids(rows, kinds(Set.of(), 9))).isEmpty();
        assertThat(ids(rows, new Found<>(Index.READY, "", null, at(2), Set.of("turn", "z"), 9)))
                .containsExactly("b");
    }

    private static Selector<Scope> kinds(Set<String> kinds, int most) {
        return new Found<>(Index.READY, "", null, null, kinds, most);
    }

    @Test
    default void waitsAreFoundWhileTheyAreOpen() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            unit.put(ScopeRows.WAITS, open("s", "b", at(9)));
            unit.put(ScopeRows.WAITS, open("s", "a", null));
            unit.put(ScopeRows.WAITS, open("s", "c", at(7)).settled(Json.TRUE, at(1)));
            unit.put(ScopeRows.WAITS, open("t", "d", at(8)));
        });

        assertThat(list(rows, Selector.found(Index.OPEN, "s"))).extracting(Wait::name)
                .containsExactly("a", "b");
        assertThat(list(rows, new Found<>(Index.OPEN, "s", "a", null, null, 9))).extracting(Wait::name)
                .containsExactly("b");
        assertThat(list(rows, Selector.found(Index.DUE, null, at(9), 9))).extracting(Wait::name)
                .containsExactly("d", "b");
    }

    @Test
    default void arrivalsAreFoundWhileTheyWait() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            unit.put(SessionRows.ARRIVALS, arrived("s", "c", 1, Arrival.Kind.COMMAND));
            unit.put(SessionRows.ARRIVALS, arrived("s", "b", 2, Arrival.Kind.INPUT).taken(1));
            unit.put(SessionRows.ARRIVALS, arrived("s", "a", 3, Arrival.Kind.INPUT));
            unit.put(SessionRows.ARRIVALS, arrived("s", "d", 10, Arrival.Kind.INPUT));
            unit.put(SessionRows.ARRIVALS, arrived("t", "e", 1, Arrival.Kind.INPUT));
        });

        assertThat(list(rows, Selector.found(Index.WAITING, "s"))).extracting(Arrived::place)
                .containsExactly(1L, 3L, 10L);
        assertThat(list(rows, new Found<>(Index.INPUTS, "s", null, null, null, 1)))
                .extracting(Arrived::place)
                .containsExactly(3L);
        assertThat(list(rows, new Found<>(Index.WAITING, "s", 1L, 9L, null, 9))).extracting(Arrived::place)
                .containsExactly(3L);
    }

    private static Arrived arrived(String session, String id, long place, Arrival.Kind kind) {
        return new Arrived(session, new Arrival(id, kind, "ab".repeat(32), Json.NULL), place, null, at(0));
    }

    @Test
    default void sessionsWithAnOpenLoopAreFound() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            for (String id : List.of("b", "a", "c")) {
                Session session = Session.empty(id, bits(1), at(0)).arrived(at(1));
                unit.put(SessionRows.SESSIONS, session.begun(1, !id.equals("c"), at(2)));
            }
        });

        assertThat(list(rows, Selector.found(Index.OPEN_LOOPS, "a", null, 9))).extracting(Session::id)
                .containsExactly("b");
        assertThat(list(rows, Selector.found(Index.OPEN_LOOPS, ""))).extracting(Session::id)
                .containsExactly("a", "b");
    }

    @Test
    default void processesAreFoundInTheOrderOfTheirStarts() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            for (long place : List.of(10L, 2L, 1L)) {
                unit.put(ProcessRows.PROCESSES,
                        new ProcessHead("p" + place, place, "h", at(0), null, null, 0, 0));
                unit.put(ProcessRows.GRANTS, new Grant("p" + place, "s", place));
                unit.put(ProcessRows.EVENTS, new Event("p1",
                        new ProcessEvent(place, "key/" + (20 - place), "t", Json.NULL, at(0))));
            }
            unit.put(ProcessRows.GRANTS, new Grant("p1", "t", 1));
        });

        assertThat(list(rows, Selector.found(Index.STARTED, 1L, null, 9))).extracting(ProcessHead::id)
                .containsExactly("p2", "p10");
        assertThat(list(rows, Selector.found(Index.GRANTED, "s"))).extracting(Grant::process)
                .containsExactly("p1", "p2", "p10");
        assertThat(list(rows, new Found<>(Index.TOLD, "p1", 1L, null, null, 1)))
                .extracting(event -> event.event().place())
                .containsExactly(2L);
    }

    @Test
    default void contentThatAnyRowRefersToIsNotUnused() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            for (String hash : List.of("effect", "result", "late", "kept", "free", "young")) {
                unit.put(StoreRows.CONTENTS, new Content(hash, 1, at(hash.equals("young") ? 9 : 1)));
            }
            unit.put(ScopeRows.EFFECTS, new Effect("s", ValuePromises.effect("k"), "effect", at(0), at(0)));
            unit.put(ScopeRows.RESULTS, new Result("s", null, "result"));
            unit.put(ScopeRows.LATE, new Late("s", "k", null, "late", at(0)));
            unit.put(StoreRows.KEPT, new Kept("s", "reference", "kept", at(0)));
        });

        assertThat(list(rows, Selector.found(Index.UNUSED, null, at(8), 9))).extracting(Content::hash)
                .containsExactly("free");
        bench().write(rows, unit -> unit.clear(StoreRows.KEPT, "s"));
        assertThat(list(rows, Selector.found(Index.UNUSED, null, null, 9))).extracting(Content::hash)
                .containsExactlyInAnyOrder("free", "kept", "young")
                .endsWith("young");
    }
}
