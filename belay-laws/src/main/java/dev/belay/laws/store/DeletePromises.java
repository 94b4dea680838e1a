package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.ANY;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.command;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.present;
import static dev.belay.laws.store.StoreBench.run;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A deleted session is gone with all records of its turns, and its keys stay unknown (L.9). */
interface DeletePromises extends StorePromises {

    /** A wait that the turn to be deleted has opened. */
    WaitName WAIT = new WaitName("w");

    @Test
    default void nothingOfTheSessionIsLeft() {
        StoreDriver store = bench().open();
        run(store, 1);
        start(store, "b");
        accept(store, input("c"));
        accept(store, command("d"));

        assertThat(store.delete(S, at(5))).isTrue();

        assertThat(store.head(S)).isEmpty();
        assertThat(store.sessions(null, ALL)).isEmpty();
        assertThat(store.turns(S, 1, ALL)).isEmpty();
        assertThat(store.turn(S, 1)).isEmpty();
        assertThat(store.messages(S, 0, ALL)).isEmpty();
        assertThat(store.waiting(S)).isEmpty();
        for (String id : List.of("in1", "b", "c", "d")) {
            assertThat(store.arrival(S, id)).as(id).isEmpty();
        }
        for (int turn = 1; turn <= 2; turn++) {
            assertThat(store.state(TurnScope.id(incarnation(1), turn))).isEmpty();
        }
        assertThat(store.delete(S, at(6))).as("again").isFalse();
        assertThat(store.delete(new SessionId("t"), at(6))).as("unknown").isFalse();
    }

    @Test
    default void turnThatWaitsForAnOwnerIsNotRun() {
        StoreDriver store = bench().open();
        accept(store, input("a"));
        store.delete(S, at(2));

        assertThat(store.takeReady(ALL, 5, at(3))).isEmpty();
    }

    @Test
    default void ownerThatStillRunsIsFenced() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        StoreDriver journal = store;
        journal.write(claim, effect("before", Json.TRUE));
        journal.late(claim.scope(), "before", Json.FALSE, at(2));
        assertThat(bench().open().delete(S, at(3))).isTrue();

        assertThat(journal.write(claim, effect("after", Json.TRUE)).refusal()).isEqualTo(Refusal.FENCED);
        assertThat(journal.take(claim, "r", "after", at(4)).refusal()).isEqualTo(Refusal.FENCED);
        assertThat(journal.park(claim, List.of(), Set.of(), false, null, at(4)))
                .isEqualTo(new Parking.Fenced());
        assertThat(journal.reenter(claim, 5, at(4))).isEmpty();
        assertThat(journal.end(claim, Json.TRUE, at(4))).isFalse();
        assertThat(journal.stick(claim, "no", at(4))).isFalse();
        assertThat(store.commit(claim, turn(1, "a"), true, at(4))).isEqualTo(new Committed.Fenced());
        assertThat(journal.effects(claim.scope())).isEmpty();
        assertThat(journal.lateResults(claim.scope())).isEmpty();
        assertThat(journal.cancel(claim.scope(), "stop", false, at(4)).receipt())
                .isEqualTo(new CancelReceipt.Unknown());
        assertThat(store.head(S)).isEmpty();
    }

    /** A record that is complete. */
    static EffectWrite effect(String key, Json result) {
        return new EffectWrite(new EffectRow(key, 0, "call", "hash", Json.NULL, EffectRow.Status.COMPLETED,
                null, result, null, ToolEffect.ONCE, null, 0), null, null, List.of(), at(1));
    }

    @Test
    default void keysOfAParkedTurnAreUnknownForGood() {
        StoreDriver store = bench().open();
        StoreDriver journal = store;
        Claim claim = start(store, "a");
        assertThat(journal.park(claim, List.of(new OpenWait(WAIT, OpenWait.Kind.COMPLETION, at(60), null)),
                Set.of(WAIT), false, at(50), at(2))).isEqualTo(new Parking.Parked());
        store.delete(S, at(3));

        assertThat(resolve(journal, claim)).isEqualTo(new Settlement.Unknown());
        assertThat(journal.waits(claim.scope())).isEmpty();
        assertThat(journal.nextDue()).isEmpty();
        assertThat(journal.takeDue(ALL, at(99))).isEmpty();
        // not even a new session with the same incarnation brings them back
        start(store, "a");
        assertThat(resolve(journal, claim)).isEqualTo(new Settlement.Unknown());
    }

    private static Settlement resolve(StoreDriver journal, Claim claim) {
        return journal.resolve(claim.scope(), claim.incarnation(), WAIT, Resolution.ok(Json.TRUE), false,
                at(4));
    }

    @Test
    default void stuckTurnIsGoneToo() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        store.stick(claim, "lost its way", at(2));
        store.delete(S, at(3));

        assertThat(store.stuck()).isEmpty();
        assertThat(store.retry(claim.scope(), at(4))).isFalse();
    }

    @Test
    default void resourcesAreFreeAndKeepTheirFences() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        assertThat(store.take(claim, "account", "k", at(2)).resourceFence()).isOne();
        Claim other = start(store, new SessionId("t"), incarnation(2), "a");
        assertThat(store.take(other, "account", "k", at(2)).refusal()).isEqualTo(Refusal.BUSY);
        store.delete(S, at(3));

        assertThat(store.take(other, "account", "k", at(4)).resourceFence()).isEqualTo(2);
        store.release("account", claim.scope(), "k");
        assertThat(bench().open().takeReady(ALL, 5, at(5))).isEmpty();
        assertThat(store.take(other, "account", "l", at(6)).refusal())
                .as("the release of the deleted one did nothing")
                .isEqualTo(Refusal.BUSY);
    }

    @Test
    default void largeResultsCanBeCollected() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        store.write(claim, effect("large", Json.string("x".repeat(70_000))));
        assertThat(store.collectOutputs(at(99))).isZero();
        store.delete(S, at(3));

        assertThat(store.collectOutputs(at(99))).isOne();
    }

    @Test
    default void sameNameAgainIsAnotherSession() {
        StoreDriver store = bench().open();
        run(store, 1);
        Claim old = start(store, "b");
        store.delete(S, at(3));
        Acceptance again = store.accept(S, incarnation(2), input("b"), ANY, true, at(4));

        assertThat(again).isInstanceOf(Acceptance.Started.class);
        Claim claim = present(((Acceptance.Started) again).claim());
        assertThat(((Acceptance.Started) again).turn()).isOne();
        assertThat(head(store).incarnation()).isEqualTo(incarnation(2));
        assertThat(head(store).messages()).isZero();
        assertThat(store.commit(old, turn(2, "b"), true, at(5))).isEqualTo(new Committed.Fenced());
        assertThat(store.commit(old, turn(1, "b"), true, at(5))).isEqualTo(new Committed.Fenced());
        assertThat(store.commit(claim, turn(1, "b"), true, at(5))).isEqualTo(new Committed.Done(0, null));
        assertThat(store.commit(old, turn(1, "b"), true, at(6))).as("not even told of the other's commit")
                .isEqualTo(new Committed.Fenced());
    }

    @Test
    default void othersAreLeftAlone() {
        StoreDriver store = bench().open();
        List<SessionId> others = List.of(new SessionId("s%"), new SessionId("S"), new SessionId("s/1"),
                new SessionId("_"), new SessionId("%"));
        for (int i = 0; i < others.size(); i++) {
            start(store, others.get(i), incarnation(10 + i), "a");
        }
        store.submit(new ScopeId("turn"), new ScopeInput("test@1", Json.NULL), false, at(1));
        store.submit(new ScopeId("turn0"), new ScopeInput("test@1", Json.NULL), false, at(1));
        start(store, "a");
        List<String> before = others.stream().map(one -> Picture.of(store, one)).toList();

        assertThat(store.delete(S, at(2))).isTrue();
        assertThat(others.stream().map(one -> Picture.of(store, one)).toList()).isEqualTo(before);
        assertThat(store.delete(new SessionId("%"), at(2))).isTrue();
        assertThat(store.delete(new SessionId("_"), at(2))).isTrue();
        assertThat(others.subList(0, 3).stream().map(one -> Picture.of(store, one)).toList())
                .isEqualTo(before.subList(0, 3));
        assertThat(store.state(new ScopeId("turn")).orElseThrow().status()).isEqualTo(Status.READY);
        assertThat(store.state(new ScopeId("turn0"))).isPresent();
    }
}
