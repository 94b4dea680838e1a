package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.ANY;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.arrival;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.command;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.run;
import static dev.belay.laws.store.StoreBench.scope;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.status;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrival.Kind;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Submission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An arrival is recorded, starts a turn or waits, and is recognised when it is sent again (P.1). */
interface AcceptPromises extends StorePromises {

    @Test
    default void firstInputMakesTheSessionAndStartsATurn() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");

        assertThat(store.head(S)).contains(new SessionHead(S, incarnation(1), 0, 1L, 0, 1, Json.NULL,
                Json.NULL, SessionProfile.PLAIN, at(1), at(1)));
        assertThat(store.turns(S, 1, ALL)).containsExactly(new TurnRow(S, 1, "a", at(1), null));
        assertThat(store.arrival(S, "a")).contains(new Arrived(input("a"), 1, 1L, at(1)));
        assertThat(store.waiting(S)).isEmpty();
        assertThat(claim.scope()).isEqualTo(TurnScope.id(incarnation(1), 1));
        assertThat(claim.input()).isEqualTo(TurnScope.input(S, incarnation(1), 1, input("a"), "default"));
        assertThat(claim.fence()).isOne();
        assertThat(claim.entries()).isOne();
        assertThat(status(store, claim.scope())).isEqualTo(Status.RUNNING);
        assertThat(store.takeReady(ALL, 5, at(2))).as("owned").isEmpty();
    }

    @Test
    default void turnThatIsNotTakenIsReadyForAnybody() {
        StoreDriver store = bench().open();
        assertThat(accept(store, input("a"))).isEqualTo(new Acceptance.Started(1, null));
        assertThat(status(store, scope(store, 1))).isEqualTo(Status.READY);

        List<Claim> taken = bench().open().takeReady(ALL, 5, at(2));
        assertThat(taken).extracting(Claim::scope).containsExactly(scope(store, 1));
        assertThat(taken).extracting(Claim::input)
                .containsExactly(TurnScope.input(S, incarnation(1), 1, input("a"), "default"));
    }

    @Test
    default void scopeIsKnownToTheJournalByItsInput() {
        StoreDriver store = bench().open();
        accept(store, input("a"));

        assertThat(store
                .submit(scope(store, 1), TurnScope.input(S, incarnation(1), 1, input("a"), "default"), true,
                        at(2)))
                .isEqualTo(new Submission.Known());
    }

    @Test
    default void inputWaitsWhileATurnIsActive() {
        StoreDriver store = bench().open();
        start(store, "a");
        assertThat(store.accept(S, incarnation(2), input("b"), ANY, true, at(2)))
                .isEqualTo(new Acceptance.Waits(2));
        assertThat(accept(store, input("c"))).isEqualTo(new Acceptance.Waits(3));

        assertThat(store.waiting(S)).containsExactly(new Arrived(input("b"), 2, null, at(2)),
                new Arrived(input("c"), 3, null, at(1)));
        assertThat(head(store).lastPlace()).isEqualTo(3);
        assertThat(head(store).active()).isEqualTo(1);
        assertThat(head(store).incarnation()).as("only used for a new one").isEqualTo(incarnation(1));
        assertThat(store.turn(S, 2)).isEmpty();
    }

    @Test
    default void commandWaitsAndStartsNoTurn() {
        StoreDriver store = bench().open();
        assertThat(accept(store, command("c"))).isEqualTo(new Acceptance.Waits(1));
        assertThat(head(store).active()).isNull();
        assertThat(store.waiting(S)).containsExactly(new Arrived(command("c"), 1, null, at(1)));
        assertThat(store.takeReady(ALL, 5, at(2))).isEmpty();

        Claim claim = start(store, "a");
        assertThat(store.waiting(S)).extracting(Arrived::arrival).containsExactly(command("c"));
        finish(store, claim, turn(1, "a"));
        assertThat(accept(store, command("d"))).isEqualTo(new Acceptance.Waits(3));
        assertThat(head(store).active()).isNull();
    }

    @Test
    default void sameArrivalIsKnown() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, command("c"));
        String before = Picture.of(store, S);

        assertThat(again(store, input("a"))).isEqualTo(known(input("a"), 1, 1L));
        assertThat(again(store, input("b"))).isEqualTo(known(input("b"), 2, null));
        assertThat(again(store, command("c"))).isEqualTo(known(command("c"), 3, null));
        assertThat(Picture.of(store, S)).isEqualTo(before);

        finish(store, claim, turn(1, "a", "b", "c"));
        before = Picture.of(store, S);
        assertThat(again(bench().open(), input("a"))).isEqualTo(known(input("a"), 1, 1L));
        assertThat(again(store, input("b"))).isEqualTo(known(input("b"), 2, 1L));
        assertThat(again(store, command("c"))).isEqualTo(known(command("c"), 3, 1L));
        assertThat(Picture.of(store, S)).isEqualTo(before);
    }

    private static Acceptance again(StoreDriver store, Arrival arrival) {
        return store.accept(S, incarnation(7), arrival, 99, true, at(9));
    }

    private static Acceptance known(Arrival arrival, long place,
            @Nullable Long turn) {
        return new Acceptance.Known(new Arrived(arrival, place, turn, at(1)));
    }

    @Test
    default void otherContentOrKindIsAConflict() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        String before = Picture.of(store, S);

        assertThat(again(store, arrival("a", Kind.INPUT, "other"))).isEqualTo(conflict("a", 1, 1L));
        assertThat(again(store, arrival("b", Kind.INPUT, "other"))).isEqualTo(conflict("b", 2, null));
        assertThat(again(store, command("a"))).isEqualTo(conflict("a", 1, 1L));
        assertThat(again(store, command("b"))).isEqualTo(conflict("b", 2, null));
        assertThat(Picture.of(store, S)).isEqualTo(before);

        finish(store, claim, turn(1, "a", "b"));
        assertThat(again(store, arrival("b", Kind.INPUT, "other"))).isEqualTo(conflict("b", 2, 1L));
    }

    private static Acceptance conflict(String id, long place, @Nullable Long turn) {
        return new Acceptance.Conflict(new Arrived(input(id), place, turn, at(1)));
    }

    @Test
    default void sessionsKnowTheirOwnArrivalsOnly() {
        StoreDriver store = bench().open();
        var other = new SessionId("t");
        start(store, "a");
        start(store, other, incarnation(2), "a");

        assertThat(store.head(other).orElseThrow().lastPlace()).isOne();
        assertThat(store.arrival(other, "b")).isEmpty();
        assertThat(store.arrival(new SessionId("u"), "a")).isEmpty();
    }

    @Test
    default void senderThatExpectsAnotherPlaceIsOvertaken() {
        StoreDriver store = bench().open();
        assertThat(store.accept(S, incarnation(1), input("a"), 1, true, at(1)))
                .isEqualTo(new Acceptance.Overtaken());
        assertThat(store.head(S)).as("nothing was written").isEmpty();
        assertThat(store.accept(S, incarnation(1), input("a"), 0, false, at(1)))
                .isEqualTo(new Acceptance.Started(1, null));
        assertThat(store.accept(S, incarnation(1), input("b"), 1, false, at(1)))
                .isEqualTo(new Acceptance.Waits(2));
        String before = Picture.of(store, S);

        for (long place : new long[]{0, 1, 3}) {
            assertThat(store.accept(S, incarnation(1), input("c"), place, true, at(5)))
                    .isEqualTo(new Acceptance.Overtaken());
        }
        assertThat(Picture.of(store, S)).isEqualTo(before);
    }

    @Test
    default void turnsAreNumbered() {
        StoreDriver store = bench().open();
        run(store, 1);
        run(store, 2);
        assertThat(accept(store, input("a"))).isEqualTo(new Acceptance.Started(3, null));

        assertThat(head(store).revision()).isEqualTo(2);
        assertThat(head(store).active()).isEqualTo(3);
    }

    @Test
    default void incarnationOfAnotherSessionIsRefused() {
        StoreDriver store = bench().open();
        start(store, "a");
        var other = new SessionId("t");

        assertThatThrownBy(() -> store.accept(other, incarnation(1), input("a"), ANY, true, at(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(incarnation(1).toString(), "another session", "t");
        assertThat(store.head(other)).isEmpty();
        assertThat(store.accept(other, incarnation(2), input("a"), ANY, false, at(1)))
                .isEqualTo(new Acceptance.Started(1, null));
    }

    @Test
    default void inputOfAClosedSessionIsRefusedAndNothingElseIs() {
        StoreDriver store = bench().open();
        run(store, 1);
        assertThat(store.profile(S, before -> before.closed(at(3)))).contains(SessionProfile.PLAIN);
        SessionHead closed = head(store);

        assertThat(accept(store, input("late"))).isEqualTo(new Acceptance.Closed());
        assertThat(store.head(S)).contains(closed);
        assertThat(store.arrival(S, "late")).isEmpty();
        assertThat(accept(store, input("in1"))).as("known").isInstanceOf(Acceptance.Known.class);
        assertThat(accept(store, command("note"))).as("no input").isEqualTo(new Acceptance.Waits(2));
        store.profile(S, before -> before.closed(null));
        assertThat(accept(store, input("late"))).isEqualTo(new Acceptance.Started(2, null));
    }

    @Test
    default void whatIsSaidAboutASessionIsKeptAndGoesWithIt() {
        StoreDriver store = bench().open();
        assertThat(store.profile(S, before -> before.withAgent("lawyer"))).as("no session").isEmpty();
        run(store, 1);
        var profile = new SessionProfile("lawyer", at(9), Map.of("team", "billing", "empty", ""));
        store.profile(S, before -> profile);
        assertThat(bench().open().head(S).orElseThrow().profile()).isEqualTo(profile);
        assertThat(store.sessions(null, ALL)).extracting(SessionHead::profile).containsExactly(profile);
        store.delete(S, at(10));
        run(store, 1);
        assertThat(head(store).profile()).isEqualTo(SessionProfile.PLAIN);
    }

    @Test
    default void turnIsTakenOnlyWhereItsAgentIsServed() {
        StoreDriver lawyers = bench().open();
        StoreDriver clerks = bench().open();
        lawyers.serve(Set.of(TurnScope.kind("lawyer")));
        clerks.serve(Set.of(TurnScope.kind("default")));
        lawyers.create(new NewSession(S, incarnation(1), Json.NULL, List.of(), List.of(), Json.NULL)
                .of("lawyer"), at(1));

        assertThat(clerks.accept(S, incarnation(1), input("a"), ANY, true, at(1)))
                .as("wanted, and not served")
                .isEqualTo(new Acceptance.Started(1, null));
        assertThat(clerks.takeReady(ALL, 5, at(2))).isEmpty();
        assertThat(clerks.readyKinds()).containsExactly(Map.entry("turn/1/lawyer", at(1)));
        List<Claim> taken = lawyers.takeReady(ALL, 5, at(2));
        assertThat(taken).extracting(Claim::input)
                .containsExactly(TurnScope.input(S, incarnation(1), 1, input("a"), "lawyer"));

        accept(clerks, input("b"));
        clerks.profile(S, before -> before.withAgent("default"));
        assertThat(lawyers.commit(taken.getFirst(), turn(1, "a"), true, at(3)))
                .as("the next turn is another agent's")
                .isEqualTo(new Committed.Done(2, null));
        assertThat(lawyers.takeReady(ALL, 5, at(4))).isEmpty();
        assertThat(clerks.takeReady(ALL, 5, at(4))).extracting(Claim::input)
                .containsExactly(TurnScope.input(S, incarnation(1), 2, input("b"), "default"));
    }

    @Test
    default void turnIsTakenOnlyWhereItsSessionOrOneAboveItIsServed() {
        StoreDriver limited = bench().open();
        StoreDriver all = bench().open();
        limited.serve(Set.of(TurnScope.KIND));
        limited.limit(Map.of("mine", Long.MAX_VALUE));
        var mine = new SessionId("mine");
        var child = new SessionId("child");
        var grandchild = new SessionId("grandchild");
        limited.create(made(child, 2).below(List.of("mine")), at(1));
        limited.create(made(grandchild, 3).below(List.of("mine", "child")), at(1));

        assertThat(limited.accept(S, incarnation(1), input("a"), ANY, true, at(1)))
                .as("wanted, and not served")
                .isEqualTo(new Acceptance.Started(1, null));
        Claim taken = start(limited, mine, incarnation(4), "a");
        start(limited, child, incarnation(4), "a");
        all.accept(grandchild, incarnation(4), input("a"), ANY, false, at(3));

        assertThat(limited.readySince()).as("what others do is not late here").contains(at(3));
        assertThat(limited.readyKinds()).containsExactly(Map.entry("turn/1", at(1)));
        List<Claim> ready = limited.takeReady(ALL, 5, at(4));
        assertThat(ready).extracting(claim -> claim.input().value().peekText("session"))
                .containsExactly("grandchild");
        limited.giveBack(ready.getFirst(), at(4));
        assertThat(limited.serves(ready.getFirst().input())).isTrue();
        assertThat(limited.delete(grandchild, at(5))).isTrue();
        assertThat(limited.readySince()).as("deleted").isEmpty();

        all.accept(mine, incarnation(4), input("b"), ANY, false, at(6));
        assertThat(StoreBench.next(limited.commit(taken, turn(mine, 1, "a"), true, at(6)))
                .input()
                .value()
                .peekText("session")).as("its own next turn").isEqualTo("mine");
        assertThat(all.takeReady(ALL, 5, at(7)))
                .extracting(claim -> claim.input().value().peekText("session"))
                .containsExactly(S.value());
    }

    @Test
    default void turnBehindTheLastOneThatIsServedIsLeft() {
        StoreDriver limited = bench().open();
        StoreDriver all = bench().open();
        limited.serve(Set.of(TurnScope.KIND));
        limited.limit(Map.of(S.value(), 1L));
        Claim first = start(limited, S, incarnation(1), "a");
        accept(all, input("b"));
        assertThat(limited.commit(first, turn(1, "a"), true, at(3)))
                .as("begun, and not taken")
                .isEqualTo(new Committed.Done(2, null));
        assertThat(limited.readySince()).as("what others do is not late here").isEmpty();
        assertThat(limited.takeReady(ALL, 5, at(4))).isEmpty();
        assertThat(all.takeReady(ALL, 5, at(4))).extracting(Claim::input)
                .containsExactly(TurnScope.input(S, incarnation(1), 2, input("b"), "default"));
    }

    private static NewSession made(SessionId id, long bits) {
        return new NewSession(id, incarnation(bits), Json.NULL, List.of(), List.of(), Json.NULL);
    }

}
