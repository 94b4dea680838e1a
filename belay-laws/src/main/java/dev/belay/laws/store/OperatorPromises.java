package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.arrival;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.command;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival.Kind;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.runtime.store.law.OperatorReads.SessionRow;
import dev.belay.runtime.store.law.OperatorReads.StuckScope;
import dev.belay.runtime.store.law.SessionRules.Withdrawing;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What operators see and do: an arrival that waits is withdrawn, a scope is stopped, what is done leaves a note (V.1, V.4, V.6, V.8). */
interface OperatorPromises extends StorePromises {

    /** What each verb of a test says. */
    AuditEntry.Note NOTE = AuditEntry.Note.of(new Actor("anna", "test"), "verb", "s", "why");
    /** A wait of a turn. */
    OpenWait OPEN = new OpenWait(new WaitName("w"), OpenWait.Kind.COMPLETION, at(60), "asked");

    @Test
    default void whatWaitsIsTakenBack() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, command("c"));
        accept(store, input("d"));

        assertThat(store.withdraw(S, "b", at(5))).isTrue();
        assertThat(store.withdraw(S, "c", at(6))).isTrue();

        assertThat(store.arrival(S, "b")).isEmpty();
        assertThat(store.waiting(S)).extracting(Arrived::arrival).containsExactly(input("d"));
        assertThat(head(store).changedAt()).isEqualTo(at(6));
        assertThat(store.withdraw(S, "b", at(7))).as("again").isFalse();
        assertThat(store.withdraw(S, "d", at(7))).isTrue();
        finish(store, claim, turn(1, "a"));
        assertThat(head(store).active()).as("nothing waits").isNull();
    }

    @Test
    default void whatIsInATurnStays() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        String before = Picture.of(store, S);
        assertThat(store.withdraw(S, "a", at(5))).as("it started the turn").isFalse();
        assertThat(store.withdraw(S, "x", at(5))).as("unknown").isFalse();
        assertThat(store.withdraw(new SessionId("t"), "b", at(5))).as("of another session").isFalse();
        assertThat(Picture.of(store, S)).isEqualTo(before);

        finish(store, claim, turn(1, "a", "b"));
        assertThat(store.withdraw(S, "a", at(5))).isFalse();
        assertThat(store.withdraw(S, "b", at(5))).isFalse();
        assertThat(head(store).changedAt()).isEqualTo(at(2));
    }

    @Test
    default void idMayComeAgain() {
        StoreDriver store = bench().open();
        start(store, "a");
        accept(store, input("b"));
        assertThat(store.withdraw(S, "b", at(5))).isTrue();

        assertThat(head(store).lastPlace()).isEqualTo(2);
        assertThat(accept(store, arrival("b", Kind.COMMAND, "other"))).as("a place is used once")
                .isEqualTo(new Acceptance.Waits(3));
    }

    @Test
    default void inputIsAskedBackWhileATurnRunsElsewhere() {
        StoreDriver store = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, input("d"));
        accept(store, input("e"));
        assertThat(other.withdraw(S, "b", NOTE, at(5))).isEqualTo(Withdrawing.ASKED);
        assertThat(other.withdraw(S, "b", NOTE, at(6))).isEqualTo(Withdrawing.ASKED_BEFORE);
        assertThat(other.withdraw(S, "a", NOTE, at(6))).isEqualTo(Withdrawing.IN_TURN);
        assertThat(other.withdraw(S, "x", NOTE, at(6))).isEqualTo(Withdrawing.UNKNOWN);
        assertThat(store.waiting(S)).extracting(one -> one.arrival().id()).containsExactly("d", "e");
        assertThat(store.arrival(S, "b")).contains(new Arrived(input("b"), 2, null, at(1), 1L));
        assertThat(store.withdraw(S, "d", NOTE, at(7))).as("its own").isEqualTo(Withdrawing.DONE);
        store.giveBack(claim, at(8));
        assertThat(other.withdraw(S, "e", NOTE, at(9))).as("no turn runs")
                .isEqualTo(Withdrawing.DONE);
        assertThat(store.waiting(S)).isEmpty();
        assertThat(store.audit(0, ALL)).extracting(AuditEntry::at)
                .containsExactly(at(5), at(7), at(9));
    }

    @Test
    default void inputThatWasAskedBackBeginsNoTurnAndIsGoneWithTheCommit() {
        StoreDriver store = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, input("c"));
        other.withdraw(S, "b", null, at(5));
        Claim next = StoreBench.next(store.commit(claim, turn(1, "a"), true, at(6)));
        assertThat(next.input()).isEqualTo(TurnScope.input(S, incarnation(1), 2, input("c"), "default"));
        assertThat(store.arrival(S, "b")).isEmpty();
        assertThat(other.withdraw(S, "b", null, at(7))).isEqualTo(Withdrawing.UNKNOWN);
        assertThat(accept(store, arrival("b", Kind.INPUT, "other"))).as("as if it had never come")
                .isEqualTo(new Acceptance.Waits(4));
        store.commit(next, turn(2, "c"), false, at(8));
        assertThat(head(store).active()).isEqualTo(3);
    }

    @Test
    default void roundThatHasShownAnInputKeepsItThoughItWasAskedBack() {
        StoreDriver store = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, input("c"));
        other.withdraw(S, "b", null, at(5));
        other.withdraw(S, "c", null, at(5));
        assertThat(accept(store, arrival("c", Kind.INPUT, "other"))).as("its turn runs")
                .isInstanceOf(Acceptance.Conflict.class);
        assertThat(accept(store, input("c"))).as("given again").isEqualTo(new Acceptance.Waits(4));
        store.commit(claim, turn(1, "a", "b", "c"), true, at(6));
        assertThat(store.arrival(S, "b")).contains(new Arrived(input("b"), 2, 1L, at(1)));
        assertThat(store.arrival(S, "c")).contains(new Arrived(input("c"), 4, 1L, at(1)));
        assertThat(head(store).active()).isNull();
        assertThat(store.waiting(S)).isEmpty();
    }

    @Test
    default void scopeThatNoOwnerRunsIsStopped() {
        StoreDriver store = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(store, "a");
        ScopeId scope = claim.scope();
        assertThat(other.stop(scope, "why", at(3))).as("it runs").isFalse();
        store.giveBack(claim, at(3));
        assertThat(other.stop(scope, "why", at(4))).as("ready").isTrue();
        assertThat(other.stop(scope, "again", at(4))).as("stuck").isFalse();
        assertThat(store.state(scope).orElseThrow().stuckBecause()).isEqualTo("why");
        store.retry(scope, at(5));
        Claim again = store.takeReady(ALL, 5, at(5)).getFirst();
        store.park(again, List.of(OPEN), Set.of(OPEN.name()), false, null, at(6));
        assertThat(other.stop(scope, "parked", at(7))).isTrue();
        store.retry(scope, at(8));
        Claim last = store.takeReady(ALL, 5, at(8)).getFirst();
        store.close();
        assertThat(other.stop(scope, "its owner died", at(9))).isTrue();
        assertThat(other.takeReady(ALL, 5, at(9))).isEmpty();
        assertThat(other.end(last, Json.TRUE, at(9))).as("an old claim").isFalse();
        assertThat(other.stop(new ScopeId("nobody"), "why", at(9))).isFalse();
    }

    @Test
    default void writeThatChangesSomethingLeavesOneNoteAndAnotherNone() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        StoreDriver noting = store.noting(NOTE, at(4));
        noting.profile(S, before -> before.closed(at(4)));
        noting.profile(S, before -> before);
        assertThat(noting.retry(claim.scope(), at(4))).as("not stuck").isFalse();
        assertThat(noting.withdraw(S, "x", at(4))).isFalse();
        noting.cancel(claim.scope(), "enough", false, at(4));
        noting.cancel(claim.scope(), "again", false, at(4));
        store.note(NOTE, at(5));
        assertThat(store.audit(0, ALL)).extracting(entry -> entry.place() + " " + entry.at())
                .containsExactly("1 " + at(4), "2 " + at(4), "3 " + at(5));
        assertThat(store.audit(1, 1)).extracting(AuditEntry::note).containsExactly(NOTE);
        assertThat(store.audit(3, 1)).isEmpty();
    }

    @Test
    default void openWaitsAreListedUntilTheyAreSettled() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        Claim other = start(store, new SessionId("other"), incarnation(50), "x");
        store.park(other, List.of(OPEN), Set.of(OPEN.name()), false, null, at(3));
        store.resolve(claim.scope(), claim.incarnation(), new WaitName("early"),
                Resolution.ok(Json.TRUE), false, at(4));
        store.park(claim, List.of(OPEN, new OpenWait(new WaitName("v"), OpenWait.Kind.EVENT, null, null)),
                Set.of(OPEN.name()), false, null, at(5));

        List<OpenKey> all = store.pending(null, ALL, name -> name);
        assertThat(all).extracting(key -> key.opened().name() + " " + key.since())
                .containsExactlyInAnyOrder("w " + at(3), "w " + at(5), "v " + at(5));
        assertThat(all.getFirst().scope()).as("the longest first").isEqualTo(other.scope());
        assertThat(all.getFirst().opened().deadline()).isEqualTo(at(60));
        assertThat(store.pending(null, 1, name -> name)).containsExactly(all.getFirst());
        assertThat(store.pending(all.get(1).place(), ALL, name -> name))
                .containsExactly(all.get(2));
        String id = OPEN.name().keyId(claim.scope(), claim.incarnation());
        assertThat(store.pending(id, name -> name).orElseThrow().scope())
                .isEqualTo(claim.scope());

        store.resolve(claim.scope(), claim.incarnation(), OPEN.name(), Resolution.ok(Json.TRUE), false,
                at(6));
        assertThat(store.pending(id, name -> name)).isEmpty();
        store.delete(new SessionId("other"), at(7));
        assertThat(store.pending(null, ALL, name -> name))
                .extracting(key -> key.opened().name().value())
                .containsExactly("v");
        store.cancel(claim.scope(), "enough", false, at(8));
        assertThat(store.pending(null, ALL, name -> name)).isEmpty();
    }

    @Test
    default void listsGoByPages() {
        StoreDriver store = bench().open();
        for (int number = 1; number <= 3; number++) {
            Claim claim = start(store, new SessionId("s" + number), incarnation(number), "x");
            store.stick(claim, "why", at(3));
        }
        start(store, new SessionId("t"), incarnation(9), "x");
        List<StuckScope> stuck = store.stuck(null, 2);
        assertThat(stuck).hasSize(2).allMatch(scope -> scope.since().equals(at(3)));
        assertThat(store.stuck(stuck.getLast().state().id(), 2)).hasSize(1);
        List<SessionRow> rows = store.sessions("s1", "s", 2);
        assertThat(rows)
                .extracting(row -> row.head().id().value() + " " + Objects.requireNonNull(row.active())
                        .status())
                .containsExactly("s2 STUCK", "s3 STUCK");
        assertThat(store.sessions("s3", "s1", 9)).extracting(row -> row.head().id().value())
                .containsExactly("s1", "t");
        store.pause(Pause.Target.session("t"), NOTE.by(), "why", at(4));
        assertThat(store.sessions("s1", null, 9))
                .as("each page has the pauses of its moment")
                .allSatisfy(row -> assertThat(Objects.requireNonNull(row.active()).pauses())
                        .containsExactly(new Pause(Pause.Target.session("t"), NOTE.by(), "why", at(4))));
    }
}
