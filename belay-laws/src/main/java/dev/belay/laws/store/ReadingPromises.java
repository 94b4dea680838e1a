package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.ANY;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.run;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.testkit.Trap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Reads return pages, for all kinds of names. */
interface ReadingPromises extends StorePromises {

    @Test
    default void openTurnsAreThoseWhoseLoopAProgramOwnsUntilTheyAreCommitted() {
        StoreDriver store = bench().open();
        Claim own = open(store, "b", "{\"loop\":\"\"}");
        open(store, "a", "{\"loop\":\"desk\"}");
        open(store, "c", "{\"x\":1}");
        assertThat(store.openTurns(null, ALL)).extracting(ScopeState::input)
                .extracting(ScopeInput::kind)
                .containsExactly("open-turn/1/desk", "open-turn/1");
        assertThat(store.openTurns(null, ALL)).extracting(ScopeState::id)
                .containsExactly(TurnScope.id(incarnation('a'), 1), TurnScope.id(incarnation('b'), 1));
        assertThat(store.openTurns(null, 1)).hasSize(1);
        assertThat(store.openTurns(null, 0)).isEmpty();
        assertThat(store.openTurns(null, -1)).isEmpty();
        assertThat(store.openTurns(new SessionId("a"), ALL)).hasSize(1);
        assertThat(store.openTurns(new SessionId("ab"), ALL)).hasSize(1);

        finish(store, own, turn(new SessionId("b"), 1, "in"));
        assertThat(store.openTurns(null, ALL)).hasSize(1);
        store.delete(new SessionId("a"), at(9));
        assertThat(store.openTurns(null, ALL)).isEmpty();
    }

    private static Claim open(StoreDriver store, String session, String content) {
        Json said = Json.of(content);
        return StoreBench.present(((Acceptance.Started) store.accept(new SessionId(session),
                incarnation(session.charAt(0)), new Arrival("in", Arrival.Kind.INPUT, content, said), ANY,
                true,
                at(1))).claim());
    }

    @Test
    default void turnsAndMessagesComeInPages() {
        StoreDriver store = bench().open();
        for (int turn = 1; turn <= 5; turn++) {
            run(store, turn);
        }
        assertThat(places(store, 0, ALL)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(places(store, 0, 2)).containsExactly(0L, 1L);
        assertThat(places(store, 2, 2)).containsExactly(2L, 3L);
        assertThat(places(store, 4, 2)).containsExactly(4L);
        assertThat(places(store, 5, 2)).isEmpty();
        assertThat(places(store, -3, 1)).containsExactly(0L);
        assertThat(places(store, Long.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
        assertThat(places(store, 0, 0)).isEmpty();
        assertThat(places(store, 0, -1)).isEmpty();

        assertThat(turns(store, 1, Integer.MAX_VALUE)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(turns(store, 0, 2)).containsExactly(1L, 2L);
        assertThat(turns(store, 2, 2)).containsExactly(2L, 3L);
        assertThat(turns(store, 5, 9)).containsExactly(5L);
        assertThat(turns(store, 6, 9)).isEmpty();
        assertThat(turns(store, 1, 0)).isEmpty();
        assertThat(turns(store, 1, -1)).isEmpty();
        assertThat(store.turn(S, 0)).isEmpty();
        assertThat(store.turn(S, 6)).isEmpty();
    }

    private static List<Long> places(StoreDriver store, long from, int most) {
        return store.messages(S, from, most).stream().map(StoredMessage::place).toList();
    }

    private static List<Long> turns(StoreDriver store, long from, int most) {
        return store.turns(S, from, most).stream().map(TurnRow::turn).toList();
    }

    @Test
    default void sessionsComeInTheOrderOfTheirNames() {
        StoreDriver store = bench().open();
        // the last two have the opposite order in UTF-16
        List<String> names = List.of("", "A", "Z", "a", "a b", "aa", "b", "\u00e4", "\uff5e", "\ud83d\ude00")
                .subList(1, 10);
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled, new Random(3));
        for (int i = 0; i < shuffled.size(); i++) {
            start(store, new SessionId(shuffled.get(i)), incarnation(i), "a");
        }
        assertThat(names(store.sessions(null, ALL))).isEqualTo(names);
        assertThat(names(store.sessions(null, 2))).isEqualTo(names.subList(0, 2));
        assertThat(names(store.sessions(new SessionId("a"), 2))).isEqualTo(names.subList(3, 5));
        assertThat(names(store.sessions(new SessionId("a0"), ALL))).as("one that is not there")
                .isEqualTo(names.subList(4, 9));
        assertThat(names(store.sessions(new SessionId("\ud83d\ude00"), ALL))).isEmpty();
        assertThat(store.sessions(null, 0)).isEmpty();
        assertThat(store.sessions(null, -1)).isEmpty();
        assertThat(store.sessions(null, 1)).containsExactly(store.head(new SessionId("A")).orElseThrow());
    }

    private static List<String> names(List<SessionHead> heads) {
        return heads.stream().map(head -> head.id().value()).toList();
    }

    @Test
    default void namesMayBeOdd() {
        StoreDriver store = bench().open();
        List<String> odd = List.of("'; drop table session; --", "\"quoted\"", "%", "_", "a%", "a_", "ab",
                "a/b/1", " ", "null", "\ud83d\ude00\ud83d\ude00", "x".repeat(200), "\\", "?1", "e\u0301",
                "\u00e9");
        for (int i = 0; i < odd.size(); i++) {
            var session = new SessionId(odd.get(i));
            Claim claim = start(store, session, incarnation(i), odd.get(i));
            for (String other : odd) {
                store.accept(session, incarnation(99), input(other), ANY, false, at(2));
            }
            finish(store, claim, turn(session, 1, odd.toArray(String[]::new)));
        }
        for (String name : odd) {
            var session = new SessionId(name);
            SessionHead head = store.head(session).orElseThrow();
            assertThat(head.revision()).as(name).isOne();
            assertThat(head.lastPlace()).as(name).isEqualTo(odd.size());
            assertThat(store.waiting(session)).as(name).isEmpty();
            for (String other : odd) {
                assertThat(store.arrival(session, other)).as(name + " " + other)
                        .map(Arrived::arrival)
                        .contains(input(other));
            }
        }
        assertThat(store.sessions(null, ALL)).hasSize(odd.size());
    }

    @Test
    default void readingIsNoWriteAndMindsNoInterrupt() {
        var trap = new Trap();
        StoreDriver store = bench().open(trap);
        run(store, 1);
        start(store, "b");
        accept(store, input("c"));
        trap.listen();
        reads(store).forEach((name, read) -> {
            Object expected = read.get();
            Thread.currentThread().interrupt();
            assertThat(read.get()).as(name).isEqualTo(expected);
            assertThat(Thread.interrupted()).as(name).isTrue();
        });
        assertThat(trap.heard()).isEmpty();
    }

    private static Map<String, Supplier<Object>> reads(StoreDriver store) {
        Map<String, Supplier<Object>> reads = new LinkedHashMap<>();
        reads.put("head", () -> store.head(S));
        reads.put("sessions", () -> store.sessions(null, ALL));
        reads.put("messages", () -> store.messages(S, 0, ALL));
        reads.put("turn", () -> store.turn(S, 1));
        reads.put("turns", () -> store.turns(S, 1, ALL));
        reads.put("waiting", () -> store.waiting(S));
        reads.put("arrival", () -> store.arrival(S, "c"));
        return reads;
    }

    @Test
    default void closingClosesTheJournal() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        store.close();
        store.close();
        reads(store).forEach(ReadingPromises::closed);
        closed("accept", () -> accept(store, input("b")));
        closed("commit", () -> store.commit(claim, turn(1, "a"), true, at(2)));
        closed("delete", () -> store.delete(S, at(2)));
        closed("journal", () -> store.state(claim.scope()));

        StoreDriver next = bench().open();
        assertThat(next.takeReady(ALL, 5, at(3))).extracting(Claim::scope)
                .containsExactly(claim.scope());
    }

    private static void closed(String name, Supplier<Object> call) {
        assertThatThrownBy(call::get).as(name)
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_closed"));
    }
}
