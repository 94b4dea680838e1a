package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.command;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.messages;
import static dev.belay.laws.store.StoreBench.next;
import static dev.belay.laws.store.StoreBench.result;
import static dev.belay.laws.store.StoreBench.run;
import static dev.belay.laws.store.StoreBench.scope;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.state;
import static dev.belay.laws.store.StoreBench.status;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A turn is committed once and as a whole, and the next one begins after it (P.1, P.3). */
interface CommitPromises extends StorePromises {

    @Test
    default void commitMovesTheSessionByOneTurn() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        Json state = Json.of("{\"tools\":[1]}");
        Json one = Json.string("one");
        Json two = Json.string("two");

        finish(store, claim, state(messages(turn(1, "a"), one, two), state));

        assertThat(store.head(S)).contains(
                new SessionHead(S, incarnation(1), 1, null, 2, 1, state, Json.NULL, SessionProfile.PLAIN,
                        at(1), at(2)));
        assertThat(store.messages(S, 0, ALL))
                .containsExactly(new StoredMessage(0, 1, one), new StoredMessage(1, 1, two));
        assertThat(store.turn(S, 1)).contains(new TurnRow(S, 1, "a", at(1),
                new TurnRow.End("receipt 1", result(1), state, 0, 2, at(2))));
        assertThat(store.arrival(S, "a")).contains(new Arrived(input("a"), 1, 1L, at(1)));
        ScopeState scope = store.state(claim.scope()).orElseThrow();
        assertThat(scope.status()).isEqualTo(Status.ENDED);
        assertThat(scope.result()).isEqualTo(result(1));
    }

    @Test
    default void messagesHavePlacesWithoutAGap() {
        StoreDriver store = bench().open();
        run(store, 1);
        finish(store, start(store, "b"), messages(turn(2, "b")));
        finish(store, start(store, "c"), messages(turn(3, "c"), Json.TRUE, Json.FALSE));

        assertThat(store.messages(S, 0, ALL)).extracting(StoredMessage::place).containsExactly(0L, 1L, 2L);
        assertThat(store.messages(S, 0, ALL)).extracting(StoredMessage::turn).containsExactly(1L, 3L, 3L);
        assertThat(store.turns(S, 1, ALL)).extracting(row -> StoreBench.present(row.end()).firstMessage())
                .containsExactly(0L, 1L, 1L);
        assertThat(store.turns(S, 1, ALL)).extracting(row -> StoreBench.present(row.end()).messages())
                .containsExactly(1, 0, 2);
        assertThat(head(store).messages()).isEqualTo(3);
    }

    @Test
    default void stateStaysUntilItIsReplaced() {
        StoreDriver store = bench().open();
        run(store, 1);
        assertThat(head(store).state()).isEqualTo(Json.NULL);
        finish(store, start(store, "b"), state(turn(2, "b"), Json.TRUE));
        run(store, 3);
        assertThat(head(store).state()).isEqualTo(Json.TRUE);
        assertThat(StoreBench.present(store.turn(S, 3).orElseThrow().end()).state()).isNull();
        finish(store, start(store, "d"), state(turn(4, "d"), Json.NULL));
        assertThat(head(store).state()).isEqualTo(Json.NULL);
        assertThat(StoreBench.present(store.turn(S, 4).orElseThrow().end()).state()).isEqualTo(Json.NULL);
    }

    @Test
    default void takenArrivalsAreInTheTurn() {
        StoreDriver store = bench().open();
        accept(store, command("c"));
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, command("d"));

        finish(store, claim, turn(1, "a", "b", "c"));

        assertThat(store.waiting(S)).extracting(Arrived::arrival).containsExactly(command("d"));
        for (String id : List.of("a", "b", "c")) {
            assertThat(store.arrival(S, id).orElseThrow().turn()).as(id).isEqualTo(1);
        }
        assertThat(head(store).active()).as("a command alone starts none").isNull();
    }

    @Test
    default void oldestInputThatWaitsStartsTheNextTurn() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        accept(store, command("c"));
        accept(store, input("z"));
        accept(store, input("b"));

        Claim next = next(store.commit(claim, turn(1, "a"), true, at(2)));

        assertThat(next.scope()).isEqualTo(TurnScope.id(incarnation(1), 2));
        assertThat(next.input()).isEqualTo(TurnScope.input(S, incarnation(1), 2, input("z"), "default"));
        assertThat(next.fence()).isOne();
        assertThat(status(store, next.scope())).isEqualTo(Status.RUNNING);
        assertThat(store.turn(S, 2)).contains(new TurnRow(S, 2, "z", at(2), null));
        assertThat(store.arrival(S, "z").orElseThrow().turn()).isEqualTo(2);
        assertThat(store.waiting(S)).extracting(Arrived::arrival)
                .containsExactly(command("c"), input("b"));
        assertThat(head(store).revision()).isOne();
        assertThat(head(store).active()).isEqualTo(2);

        assertThat(store.commit(next, turn(2, "z", "c"), false, at(3)))
                .isEqualTo(new Committed.Done(3, null));
        assertThat(status(store, scope(store, 3))).isEqualTo(Status.READY);
        assertThat(bench().open().takeReady(ALL, 5, at(4))).extracting(Claim::scope)
                .containsExactly(scope(store, 3));
    }

    @Test
    default void startOfATurnNeedNotBeNamedAsTaken() {
        StoreDriver store = bench().open();
        finish(store, start(store, "a"), turn(1));

        assertThat(store.arrival(S, "a").orElseThrow().turn()).isEqualTo(1);
        assertThat(store.waiting(S)).isEmpty();
    }

    @Test
    default void arrivalIsInOneTurnOnly() {
        StoreDriver store = bench().open();
        run(store, 1);
        Claim claim = start(store, "b");
        accept(store, input("c"));
        assertThat(store.withdraw(S, "c", at(2))).isTrue();

        finish(store, claim, turn(2, "b", "in1", "c", "unknown"));

        assertThat(store.arrival(S, "in1").orElseThrow().turn()).as("of before").isEqualTo(1);
        assertThat(store.arrival(S, "c")).as("withdrawn").isEmpty();
        assertThat(store.arrival(S, "unknown")).isEmpty();
    }

    @Test
    default void openWaitsOfTheTurnAreCancelled() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        var name = new WaitName("w");
        store.park(claim, List.of(new OpenWait(name, OpenWait.Kind.COMPLETION, at(60), null)),
                Set.of(name), false, at(5), at(2));
        Claim again = store.takeDue(ALL, at(5)).getFirst();

        finish(store, again, turn(1, "a"));

        assertThat(store.waits(claim.scope())).extracting(WaitState::resolution)
                .singleElement()
                .isInstanceOf(Resolution.Cancelled.class);
        assertThat(store.nextDue()).isEmpty();
    }

    @Test
    default void cancelAfterTheCommitLearnsItsResult() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        assertThat(store.cancel(claim.scope(), "stop", false, at(2)).receipt())
                .isEqualTo(new CancelReceipt.Requested());
        finish(store, claim, turn(1, "a"));

        assertThat(store.cancel(claim.scope(), "stop", false, at(3)).receipt())
                .isEqualTo(new CancelReceipt.AlreadyEnded(result(1)));
    }
}
