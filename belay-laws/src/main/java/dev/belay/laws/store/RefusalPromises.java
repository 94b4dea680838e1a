package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.messages;
import static dev.belay.laws.store.StoreBench.next;
import static dev.belay.laws.store.StoreBench.receipt;
import static dev.belay.laws.store.StoreBench.result;
import static dev.belay.laws.store.StoreBench.run;
import static dev.belay.laws.store.StoreBench.scope;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.status;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Submission;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which claims may commit a turn, what a second commit returns, and when a turn may be abandoned (P.1, L.7). */
interface RefusalPromises extends StorePromises {

    @Test
    default void claimThatWasLostCommitsNothing() {
        StoreDriver store = bench().open();
        StoreDriver other = bench().open();
        Claim lost = start(store, "a");
        accept(store, input("b"));
        store.giveBack(lost, at(2));
        refused(store, lost, "given back");
        Claim current = other.takeReady(ALL, 5, at(2)).getFirst();
        refused(store, lost, "taken by another");
        refused(store, current, "the claim of another");
        store.giveBack(current, at(2));
        refused(other, lost, "an old fence");

        assertThat(other.commit(current, turn(1, "a", "b"), true, at(3)))
                .isEqualTo(new Committed.Done(0, null));
    }

    private static void refused(StoreDriver store, Claim claim, String why) {
        String before = Picture.of(store, S);
        assertThat(store.commit(claim, turn(1, "a", "b"), true, at(9))).as(why)
                .isEqualTo(new Committed.Fenced());
        assertThat(Picture.of(store, S)).as(why).isEqualTo(before);
    }

    @Test
    default void sessionThatIsNotThereIsFenced() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        var missing = new SessionId("missing");

        assertThat(store.commit(claim, turn(missing, 1, "a"), true, at(2)))
                .isEqualTo(new Committed.Fenced());
        assertThat(store.abandon(turn(missing, 1, "a"), true, at(2))).isEqualTo(new Committed.Fenced());
        assertThat(status(store, claim.scope())).isEqualTo(Status.RUNNING);
    }

    @Test
    default void claimOfAnotherTurnIsFenced() {
        StoreDriver store = bench().open();
        Claim first = start(store, "a");
        accept(store, input("b"));
        Claim second = next(store.commit(first, turn(1, "a"), true, at(2)));
        Claim foreign = start(store, new SessionId("t"), incarnation(2), "a");
        var child = new ScopeId(second.scope() + "/child");
        var submitted = store.submit(child, new ScopeInput("test@1", Json.NULL), true, at(2));
        Claim below = StoreBench.present(((Submission.Created) submitted).claim());
        String before = Picture.of(store, S);

        assertThat(store.commit(first, turn(2, "b"), true, at(3))).isEqualTo(new Committed.Fenced());
        assertThat(store.commit(below, turn(2, "b"), true, at(3))).isEqualTo(new Committed.Fenced());
        assertThat(store.commit(foreign, turn(2, "b"), true, at(3))).isEqualTo(new Committed.Fenced());
        assertThat(store.commit(foreign, turn(1, "a"), true, at(3))).isEqualTo(new Committed.Fenced());
        assertThat(Picture.of(store, S)).isEqualTo(before);
        assertThat(status(store, foreign.scope())).isEqualTo(Status.RUNNING);
        finish(store, second, turn(2, "b"));
    }

    @Test
    default void sameCommitAgainIsToldTheFirst() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        finish(store, claim, turn(1, "a"));
        TurnCommit same = messages(turn(1, "a"), Json.string("rendered another way"));
        for (int i = 0; i < 2; i++) {
            String before = Picture.of(store, S);
            for (StoreDriver one : List.of(store, bench().open())) {
                assertThat(one.commit(claim, same, true, at(9)))
                        .isEqualTo(new Committed.Already(store.turn(S, 1).orElseThrow()));
                assertThat(one.abandon(same, true, at(9)))
                        .isEqualTo(new Committed.Already(store.turn(S, 1).orElseThrow()));
            }
            assertThat(Picture.of(store, S)).isEqualTo(before);
            run(store, i + 2); // it stays so when the session moves on
        }
    }

    @Test
    default void anotherReceiptOrTurnDiverges() {
        StoreDriver store = bench().open();
        run(store, 1);
        Claim claim = start(store, "b");
        String before = Picture.of(store, S);
        var diverged = new Committed.Diverged(head(store));

        assertThat(store.commit(claim, receipt(turn(1), "other"), true, at(9))).isEqualTo(diverged);
        assertThat(store.abandon(receipt(turn(1), "other"), true, at(9))).isEqualTo(diverged);
        for (long wrong : new long[]{-1, 0, 3, 99}) {
            assertThat(store.commit(claim, turn(wrong, "b"), true, at(9))).isEqualTo(diverged);
            assertThat(store.abandon(turn(wrong, "b"), true, at(9))).isEqualTo(diverged);
        }
        assertThat(Picture.of(store, S)).isEqualTo(before);
        finish(store, claim, turn(2, "b"));
    }

    @Test
    default void onlyAStuckTurnIsAbandoned() {
        StoreDriver store = bench().open();
        accept(store, input("a"));
        notAbandoned(store, Status.READY);
        Claim claim = store.takeReady(1, 5, at(2)).getFirst();
        notAbandoned(store, Status.RUNNING);
        store.park(claim, List.of(), Set.of(), false, at(3), at(3));
        notAbandoned(store, Status.PARKED);
        Claim again = store.takeDue(1, at(3)).getFirst();
        store.stick(again, "lost its way", at(4));
        accept(store, input("b"));

        Claim next = next(store.abandon(turn(1, "a"), true, at(5)));

        assertThat(next.scope()).isEqualTo(scope(store, 2));
        assertThat(store.state(scope(store, 1)).orElseThrow().result()).isEqualTo(result(1));
        assertThat(store.messages(S, 0, ALL)).hasSize(1);
        assertThat(store.turn(S, 1).orElseThrow().end()).isNotNull();
        assertThat(head(store).revision()).isOne();
        assertThat(head(store).active()).isEqualTo(2);
        assertThat(store.stuck()).isEmpty();
    }

    private static void notAbandoned(StoreDriver store, Status status) {
        assertThat(status(store, scope(store, 1))).isEqualTo(status);
        String before = Picture.of(store, S);
        assertThat(store.abandon(turn(1, "a"), true, at(9))).as("%s", status)
                .isEqualTo(new Committed.Fenced());
        assertThat(Picture.of(store, S)).as("%s", status).isEqualTo(before);
    }
}
