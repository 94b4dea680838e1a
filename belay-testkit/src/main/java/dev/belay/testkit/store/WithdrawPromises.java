package dev.belay.testkit.store;

import static dev.belay.testkit.store.StoreBench.S;
import static dev.belay.testkit.store.StoreBench.accept;
import static dev.belay.testkit.store.StoreBench.arrival;
import static dev.belay.testkit.store.StoreBench.at;
import static dev.belay.testkit.store.StoreBench.command;
import static dev.belay.testkit.store.StoreBench.finish;
import static dev.belay.testkit.store.StoreBench.head;
import static dev.belay.testkit.store.StoreBench.input;
import static dev.belay.testkit.store.StoreBench.start;
import static dev.belay.testkit.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival.Kind;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.journal.Journal.Claim;
import org.junit.jupiter.api.Test;

/** Only a waiting arrival can be withdrawn. */
interface WithdrawPromises extends StorePromises {

    @Test
    default void whatWaitsIsTakenBack() {
        SessionStore store = bench().open();
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
        SessionStore store = bench().open();
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
        SessionStore store = bench().open();
        start(store, "a");
        accept(store, input("b"));
        assertThat(store.withdraw(S, "b", at(5))).isTrue();

        assertThat(head(store).lastPlace()).isEqualTo(2);
        assertThat(accept(store, arrival("b", Kind.COMMAND, "other"))).as("a place is used once")
                .isEqualTo(new Acceptance.Waits(3));
    }
}
