package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.resolution;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.state;
import static dev.belay.laws.journal.JournalBench.status;
import static dev.belay.laws.journal.JournalBench.submit;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Settlement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A scope that is entered repeatedly without a new record is stuck until an operator decides (L.7). */
interface StuckPromises extends JournalPromises {

    @Test
    default void scopeEnteredTooOftenWithoutARecordIsStuck() {
        StoreDriver journal = bench().open();
        submit(journal, "s");
        submit(journal, "other");
        for (int entry = 1; entry <= 2; entry++) {
            StoreDriver dying = bench().open();
            int count = entry;
            assertThat(dying.takeReady(ALL, 2, at(entry))).hasSize(2)
                    .allMatch(one -> one.entries() == count);
            dying.close();
        }

        assertThat(journal.takeReady(ALL, 2, at(5))).isEmpty();
        assertThat(journal.stuck()).extracting(one -> one.id().value())
                .containsExactlyInAnyOrder("s", "other");
        assertThat(state(journal, "s").status()).isEqualTo(Status.STUCK);
        assertThat(state(journal, "s").entries()).isEqualTo(2);
        assertThat(state(journal, "s").stuckBecause()).contains("2 times");
        assertThat(journal.takeReady(ALL, 9, at(6))).as("stuck until an operator decides").isEmpty();
    }

    @Test
    default void scopeThatBecomesStuckTakesNobodysPlace() {
        StoreDriver journal = bench().open();
        for (String scope : List.of("a", "b", "c")) {
            StoreDriver dying = bench().open();
            start(dying, scope);
            dying.close();
        }
        submit(journal, "fresh");

        assertThat(journal.takeReady(1, 1, at(5))).extracting(one -> one.scope().value())
                .containsExactly("fresh");
    }

    @Test
    default void recordStartsTheCountAnew() {
        StoreDriver first = bench().open();
        StoreDriver journal = bench().open();
        Claim claim = start(first, "s");
        claim = first.reenter(claim, LIMIT, at(1)).orElseThrow();
        assertThat(claim.entries()).isEqualTo(2);
        first.write(claim, completed("a", RESULT));
        first.close();

        assertThat(takeOne(journal).entries()).isEqualTo(1);
    }

    @Test
    default void scopeThatIsGivenBackWasNotEntered() {
        StoreDriver journal = bench().open();
        submit(journal, "s");
        for (int restart = 0; restart < LIMIT + 2; restart++) {
            Claim claim = takeOne(journal);
            assertThat(claim.entries()).isEqualTo(1);
            journal.giveBack(claim, at(restart));
            assertThat(state(journal, "s").entries()).isZero();
        }
    }

    @Test
    default void givingBackForgetsOneEntryOnly() {
        StoreDriver dying = bench().open();
        StoreDriver journal = bench().open();
        start(dying, "s");
        dying.close();
        Claim claim = journal.reenter(takeOne(journal), LIMIT, at(3)).orElseThrow();
        assertThat(claim.entries()).isEqualTo(3);

        journal.giveBack(claim, at(4));

        assertThat(state(journal, "s").entries()).isEqualTo(2);
        assertThat(takeOne(journal).entries()).isEqualTo(3);
    }

    @Test
    default void givingBackAfterARecordForgetsNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, completed("a", RESULT));

        journal.giveBack(claim, at(1));

        assertThat(state(journal, "s").entries()).isZero();
        assertThat(takeOne(journal).entries()).isEqualTo(1);
    }

    @Test
    default void enteringAgainKeepsTheFence() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        Claim again = journal.reenter(claim, LIMIT, at(1)).orElseThrow();

        assertThat(again).isEqualTo(new Claim(claim.scope(), claim.input(), claim.fence(),
                claim.incarnation(), claim.secret(), 2, null));
        assertThat(journal.write(claim, completed("a", RESULT)).refusal()).isNull();
    }

    @Test
    default void enteringAgainTellsOfACancellation() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.cancel(id("s"), "enough", false, at(1));

        assertThat(journal.reenter(claim, LIMIT, at(1)).orElseThrow().cancelReason()).isEqualTo("enough");
    }

    @Test
    default void aScopeThatIsStuckSaysWhatItsLastEntryEndedBy() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");

        assertThat(journal.reenter(claim, 1, "Oops: no disk", at(1))).isEmpty();
        assertThat(journal.state(id("s")).orElseThrow().stuckBecause())
                .isEqualTo("entered 1 times without a new record; the last time it ended by Oops: no disk");
    }

    @Test
    default void enteringAgainTooOftenIsStuck() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        claim = journal.reenter(claim, 2, at(1)).orElseThrow();

        assertThat(journal.reenter(claim, 2, at(1))).isEmpty();
        assertThat(status(journal, "s")).isEqualTo(Status.STUCK);
        assertThat(journal.reenter(claim, 9, at(1))).isEmpty();
    }

    @Test
    default void settledWaitStartsTheCountAnew() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        for (int i = 0; i < 3 * LIMIT; i++) {
            park(journal, claim, event("e" + i));
            var settled = journal.resolve(id("s"), claim.incarnation(), named("e" + i), ok(i), false, at(i));
            assertThat(settled).isEqualTo(new Settlement.Accepted(null));
            claim = takeOne(journal);
            assertThat(claim.entries()).isEqualTo(1);
        }
    }

    @Test
    default void restingUntilATimeDoesNotCountAndDoesNotStartTheCountAnew() {
        StoreDriver journal = bench().open();
        Claim again = journal.reenter(start(journal, "s"), LIMIT, at(1)).orElseThrow();
        journal.park(again, List.of(), Set.of(), false, at(10), at(1));

        assertThat(journal.takeDue(ALL, at(10))).extracting(Claim::entries).containsExactly(2);
    }

    @Test
    default void takingAResourceDoesNotStartTheCountAnew() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.take(claim, "r", "k", at(1));

        assertThat(journal.reenter(claim, LIMIT, at(1)).orElseThrow().entries()).isEqualTo(2);
    }

    @Test
    default void stuckScopeIsListedWithItsReason() {
        StoreDriver journal = bench().open();
        assertThat(journal.stick(start(journal, "s"), "a mismatch", at(1))).isTrue();

        assertThat(journal.stuck()).containsExactly(state(journal, "s"));
        assertThat(state(journal, "s").status()).isEqualTo(Status.STUCK);
        assertThat(state(journal, "s").stuckBecause()).isEqualTo("a mismatch");
        assertThat(journal.takeReady(ALL, LIMIT, at(2))).isEmpty();
    }

    @Test
    default void stuckScopeCanBeRetried() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        assertThat(journal.retry(id("s"), at(1))).as("running").isFalse();
        assertThat(journal.retry(id("nobody"), at(1))).as("unknown").isFalse();
        claim = journal.reenter(claim, LIMIT, at(1)).orElseThrow();
        assertThat(journal.reenter(claim, 2, at(1))).isEmpty();

        assertThat(journal.retry(id("s"), at(2))).isTrue();
        assertThat(journal.stuck()).isEmpty();
        assertThat(state(journal, "s").stuckBecause()).isNull();
        Claim next = takeOne(journal);
        assertThat(next.fence()).isEqualTo(2);
        assertThat(next.entries()).isEqualTo(1);
    }

    @Test
    default void stuckScopeCanBeAbandoned() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        assertThat(journal.abandon(id("s"), RESULT, at(1))).as("running").isFalse();
        assertThat(journal.abandon(id("nobody"), RESULT, at(1))).as("unknown").isFalse();
        journal.write(claim, JournalBench.opening("a", completion("w", at(50))));
        journal.stick(claim, "a mismatch", at(1));

        assertThat(journal.abandon(id("s"), RESULT, at(2))).isTrue();
        assertThat(journal.stuck()).isEmpty();
        assertThat(state(journal, "s").status()).isEqualTo(Status.ENDED);
        assertThat(state(journal, "s").result()).isEqualTo(RESULT);
        assertThat(resolution(journal, "s", "w")).isInstanceOf(Resolution.Cancelled.class);
        assertThat(journal.retry(id("s"), at(3))).isFalse();
        assertThat(journal.abandon(id("s"), Json.TRUE, at(3))).isFalse();
        assertThat(state(journal, "s").result()).isEqualTo(RESULT);
    }
}
