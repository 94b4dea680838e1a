package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.P;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.ending;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.grant;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.notice;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.startProcess;
import static dev.belay.laws.store.StoreBench.status;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ProcessRules.Ended;
import dev.belay.testkit.Together;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A process ends once, together with its scope, and its sessions receive the end (Q). */
interface ProcessEndPromises extends StorePromises {

    @Test
    default void endEndsTheScopeAndTellsEverySession() {
        StoreDriver store = bench().open();
        var other = new SessionId("t");
        Claim turn = start(store, "a");
        Claim claim = startProcess(store, "p", grant(S, 2), grant(other, 3));
        startProcess(store, "q", grant(new SessionId("u"), 4));

        assertThat(store.end(claim, ending("p", 0), at(3))).isEqualTo(Ended.DONE);
        assertThat(store.process(P)).hasValueSatisfying(row -> {
            assertThat(row.endedAt()).isEqualTo(at(3));
            assertThat(row.scope().status()).isEqualTo(Status.ENDED);
            assertThat(row.scope().result()).isEqualTo(Json.string("result of p"));
        });
        assertThat(store.waiting(S)).containsExactly(new Arrived(notice("p"), 2, null, at(3)));
        assertThat(head(store).active()).as("the turn goes on").isOne();
        assertThat(store.waiting(other)).containsExactly(new Arrived(notice("p"), 1, null, at(3)));
        assertThat(store.head(other).orElseThrow().active()).as("no turn is started").isNull();
        assertThat(store.waiting(new SessionId("u"))).isEmpty();
        assertThat(store.commit(turn, turn(1, "a"), true, at(4))).as("nor after a turn")
                .isEqualTo(new Committed.Done(0, null));
        assertThat(store.waiting(S)).hasSize(1);
        finish(store, start(store, "b"), turn(2, "b", notice("p").id()));
        assertThat(store.waiting(S)).isEmpty();
        assertThat(store.arrival(S, notice("p").id()).orElseThrow().turn()).isEqualTo(2);
    }

    @Test
    default void endSettlesTheWaitsOfTheScope() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        var wait = new WaitName("w");
        store.park(claim, List.of(new OpenWait(wait, OpenWait.Kind.EVENT, null, null)), Set.of(wait),
                false,
                at(2), at(2));
        Claim woken = store.takeDue(ALL, at(2)).getFirst();
        store.end(woken, ending("p", 0), at(3));
        assertThat(store.waits(claim.scope())).extracting(WaitState::resolution)
                .containsExactly(new Resolution.Cancelled("the scope has ended"));
    }

    @Test
    default void onlyTheOneWhoRunsItEndsIt() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p", grant(S, 1));
        Claim other = startProcess(store, "q");
        store.giveBack(claim, at(2));
        Claim taken = store.takeReady(ALL, 5, at(2)).getFirst();
        String before = Picture.ofProcesses(store, S) + Picture.of(store, S);

        assertThat(store.end(claim, ending("p", 0), at(3))).isEqualTo(Ended.FENCED);
        assertThat(store.end(other, ending("p", 0), at(3))).isEqualTo(Ended.FENCED);
        assertThat(store.end(claim, ending("nobody", 0), at(3))).isEqualTo(Ended.FENCED);
        assertThat(Picture.ofProcesses(store, S) + Picture.of(store, S)).isEqualTo(before);
        assertThat(store.end(taken, ending("p", 0), at(3))).isEqualTo(Ended.DONE);
        assertThat(store.end(taken, ending("p", 0), at(4))).as("twice").isEqualTo(Ended.FENCED);
        assertThat(store.waiting(S)).hasSize(1);
    }

    @Test
    default void endWaitsUntilAllWatchersWereTold() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p", grant(S, 1));
        StoreDriver processes = store;
        assertThat(processes.watchers(P)).isEmpty();
        assertThat(processes.watch(P, "one", at(2))).isTrue();
        assertThat(processes.watch(P, "one", at(2))).as("the same again").isTrue();
        assertThat(processes.watch(P, "two", at(2))).isTrue();
        assertThat(processes.watchers(P)).containsExactlyInAnyOrder("one", "two");
        String before = Picture.ofProcesses(store, S) + Picture.of(store, S);

        assertThat(processes.end(claim, ending("p", 1), at(3))).isEqualTo(Ended.WATCHED);
        assertThat(Picture.ofProcesses(store, S) + Picture.of(store, S)).isEqualTo(before);
        assertThat(processes.end(claim, ending("p", 2), at(3))).isEqualTo(Ended.DONE);
        assertThat(processes.watchers(P)).isEmpty();
        assertThat(processes.watch(P, "three", at(4))).as("after the end").isFalse();
        assertThat(processes.watch(new ProcessId("nobody"), "one", at(4))).isFalse();
    }

    @Test
    default void stuckProcessIsAbandoned() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p", grant(S, 1));
        store.watch(P, "one", at(2));
        assertThat(store.abandon(ending("p", 1), at(3))).as("not stuck").isEqualTo(Ended.FENCED);
        store.stick(claim, "lost its way", at(2));

        assertThat(store.abandon(ending("p", 0), at(3))).isEqualTo(Ended.WATCHED);
        assertThat(store.abandon(ending("p", 1), at(3))).isEqualTo(Ended.DONE);
        assertThat(store.abandon(ending("p", 1), at(3))).isEqualTo(Ended.FENCED);
        assertThat(status(store, claim.scope())).isEqualTo(Status.ENDED);
        assertThat(store.process(P).orElseThrow().endedAt()).isEqualTo(at(3));
        assertThat(store.waiting(S)).hasSize(1);
        assertThat(store.abandon(ending("nobody", 0), at(3))).isEqualTo(Ended.FENCED);
    }

    @Test
    default void deletedSessionIsNotTold() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p", grant(S, 1));
        store.delete(S, at(2));
        start(store, "a");
        assertThat(store.end(claim, ending("p", 0), at(3))).isEqualTo(Ended.DONE);
        assertThat(store.waiting(S)).isEmpty();
    }

    @Test
    default void sessionThatHasAnArrivalOfThatIdIsNotToldAgain() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p", grant(S, 1));
        StoreBench.accept(store, StoreBench.command(notice("p").id()));
        assertThat(store.end(claim, ending("p", 0), at(3))).isEqualTo(Ended.DONE);
        assertThat(store.waiting(S)).hasSize(1);
    }

    @Test
    default void grantAfterTheEndTellsNothing() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        store.end(claim, ending("p", 0), at(2));
        store.grant(P, grant(S, 1), at(3));
        assertThat(store.isGranted(P, S)).isTrue();
        assertThat(store.waiting(S)).isEmpty();
    }

    @Test
    default void largeResultIsKept() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        Json large = Json.string("x".repeat(70_000));
        store.end(claim, new ProcessEnding(P, large, notice("p"), 0), at(2));
        assertThat(store.process(P).orElseThrow().scope().result()).isEqualTo(large);
    }

    @Test
    default void anEndIsToldByANoticeOnly() {
        assertThatThrownBy(() -> new ProcessEnding(P, Json.TRUE, StoreBench.input("a"), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("notice");
    }

    @Test
    default void watcherAndEndNeverMissEachOther() {
        List<StoreDriver> pair = List.of(bench().open(), bench().open());
        for (int round = 0; round < bench().rounds(); round++) {
            String id = "p" + round;
            Claim claim = startProcess(pair.getFirst(), id);
            List<Object> answers = Together.run(List.<Callable<Object>>of(
                    () -> pair.get(0).end(claim, ending(id, 0), at(2)),
                    () -> pair.get(1).watch(new ProcessId(id), "token", at(2))));
            assertThat(answers).isIn(List.of(Ended.DONE, false), List.of(Ended.WATCHED, true));
        }
    }
}
