package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.ANY;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.present;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.testkit.Together;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Under concurrent calls to two stores, a session has one past. */
interface StoreRacePromises extends StorePromises {

    @Test
    default void sameInputFromAllSidesIsOneTurn() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        for (int round = 0; round < bench().rounds(); round++) {
            var session = new SessionId("s" + round);
            int n = round;
            List<Acceptance> answers = Together.run(IntStream.range(0, 4)
                    .<Callable<Acceptance>>mapToObj(i -> () -> pair.get(i % 2)
                            .accept(session, incarnation(n * 10L + i), input("a"), ANY, true, at(1)))
                    .toList());

            assertThat(answers).filteredOn(Acceptance.Started.class::isInstance).hasSize(1);
            assertThat(answers).filteredOn(Acceptance.Known.class::isInstance).hasSize(3);
        }
    }

    @Test
    default void onlyOneOfThoseWhoExpectAPlaceGetsIt() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        for (int round = 0; round < bench().rounds(); round++) {
            long place = round;
            List<Acceptance> answers = Together.run(IntStream.range(0, 4)
                    .<Callable<Acceptance>>mapToObj(i -> () -> pair.get(i % 2)
                            .accept(S, incarnation(1), input(place + "-" + i), place, false, at(1)))
                    .toList());

            assertThat(answers).filteredOn(Acceptance.Overtaken.class::isInstance).hasSize(3);
        }
        assertThat(pair.getFirst().head(S).orElseThrow().lastPlace()).isEqualTo(bench().rounds());
    }

    @Test
    default void commitAndAcceptLoseNoInput() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        Claim claim = StoreBench.start(pair.getFirst(), "in0");
        for (int round = 1; round <= bench().rounds(); round++) {
            long turn = round;
            Claim current = claim;
            List<Object> answers = Together.run(List.<Callable<Object>>of(
                    () -> pair.get(0).commit(current, turn(turn, "in" + (turn - 1)), true, at(2)),
                    () -> pair.get(1).accept(S, incarnation(1), input("in" + turn), ANY, true, at(2))));
            // it waited and the commit started its turn, or it arrived later and started the turn itself
            if (answers.get(1) instanceof Acceptance.Started started) {
                assertThat(answers.get(0)).isEqualTo(new Committed.Done(0, null));
                pair.get(1).giveBack(present(started.claim()), at(3));
                claim = pair.get(0).takeReady(1, 5, at(3)).getFirst();
            } else {
                claim = StoreBench.next((Committed) answers.get(0));
            }
            assertThat(claim.scope()).isEqualTo(TurnScope.id(incarnation(1), turn + 1));
        }
    }

    @Test
    default void sessionsHaveOnePastHoweverManyWrite() {
        List<StoreDriver> stores = List.of(bench().open(), bench().open());
        List<SessionId> sessions = List.of(new SessionId("one"), new SessionId("two"));
        int inputs = bench().rounds();
        List<Callable<Integer>> actors = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int actor = i;
            actors.add(() -> sendAndServe(stores.get(actor % 2), sessions, actor, inputs));
        }
        Together.run(actors);
        StoreDriver store = stores.getFirst();
        // the last server has left no work, except for scopes that the other claimed at the end
        while (serve(store) > 0) {
            assertThat(store.sessions(null, ALL)).hasSize(2);
        }

        for (SessionId session : sessions) {
            SessionHead head = store.head(session).orElseThrow();
            assertThat(head.active()).isNull();
            assertThat(head.lastPlace()).isEqualTo(6L * inputs);
            assertThat(store.waiting(session)).isEmpty();
            assertOnePast(store, head, 6 * inputs);
        }
    }

    private static int sendAndServe(StoreDriver store, List<SessionId> sessions, int actor, int inputs) {
        for (int i = 0; i < inputs; i++) {
            for (SessionId session : sessions) {
                Acceptance answer = store.accept(session, incarnation(sessions.indexOf(session)),
                        input(actor + "-" + i), ANY, i % 2 == 0, at(1));
                if (answer instanceof Acceptance.Started started && started.claim() != null) {
                    run(store, started.claim());
                }
            }
            if (i % 3 == 0) {
                serve(store);
            }
        }
        return inputs;
    }

    private static int serve(StoreDriver store) {
        List<Claim> claims = store.takeReady(2, ALL, at(2));
        claims.forEach(claim -> run(store, claim));
        return claims.size();
    }

    /** Runs a turn and the turns that its commits start. Now and then it includes waiting arrivals. */
    private static void run(StoreDriver store, @Nullable Claim first) {
        Claim claim = first;
        while (claim != null) {
            Json value = claim.input().value();
            var session = new SessionId(value.get("session").orElseThrow().asString());
            long turn = value.get("turn").orElseThrow().asLong();
            List<String> taken = new ArrayList<>();
            if (turn % 3 == 0) {
                store.waiting(session).forEach(one -> taken.add(one.arrival().id()));
            }
            taken.add(value.get("input").orElseThrow().asString());
            var commit = new TurnCommit(session, turn, "r" + turn, List.of(Json.number(turn), Json.TRUE),
                    Json.number(turn), Json.number(turn), taken);
            Committed committed = store.commit(claim, commit, turn % 2 == 0, at(3));
            assertThat(committed).isInstanceOf(Committed.Done.class);
            claim = ((Committed.Done) committed).next();
        }
    }

    private static void assertOnePast(StoreDriver store, SessionHead head, int arrivals) {
        List<TurnRow> turns = store.turns(head.id(), 1, ALL);
        assertThat(turns).extracting(TurnRow::turn)
                .isEqualTo(LongStream.rangeClosed(1, head.revision()).boxed().toList());
        List<StoredMessage> messages = store.messages(head.id(), 0, ALL);
        assertThat(messages).extracting(StoredMessage::place)
                .isEqualTo(LongStream.range(0, 2 * head.revision()).boxed().toList());
        Map<Long, Integer> inTurn = new HashMap<>();
        for (int actor = 0; actor < 6; actor++) {
            for (int i = 0; i < arrivals / 6; i++) {
                Arrived arrived = store.arrival(head.id(), actor + "-" + i).orElseThrow();
                inTurn.merge(present(arrived.turn()), 1, Integer::sum);
            }
        }
        for (TurnRow turn : turns) {
            TurnRow.End end = present(turn.end());
            assertThat(end.firstMessage()).isEqualTo(2 * (turn.turn() - 1));
            assertThat(inTurn.get(turn.turn())).as("arrivals of turn %s", turn.turn()).isPositive();
            assertThat(store.arrival(head.id(), turn.input()).orElseThrow().turn()).isEqualTo(turn.turn());
            assertThat(StoreBench.status(store, TurnScope.id(head.incarnation(), turn.turn())))
                    .isEqualTo(Status.ENDED);
        }
        assertThat(inTurn.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(arrivals);
        assertThat(head.state()).isEqualTo(Json.number(head.revision()));
    }
}
