package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.opening;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.resolution;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Deadlines and wake times are recorded as moments and do not move (J.4, J.5, L.8). */
interface DuePromises extends JournalPromises {

    /** The resolution of a wait whose deadline has passed. */
    Resolution TIMED_OUT = new Resolution.TimedOut();

    @Test
    default void deadlineSettlesAndTakes() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("w", at(10)));

        assertThat(journal.takeDue(ALL, at(10).minusNanos(1))).isEmpty();
        assertThat(resolution(journal, "s", "w")).isNull();
        assertThat(journal.takeDue(ALL, at(10))).containsExactly(new Claim(id("s"), claim.input(), 2,
                claim.incarnation(), claim.secret(), 1, null));
        assertThat(resolution(journal, "s", "w")).isEqualTo(TIMED_OUT);
        assertThat(status(journal, "s")).isEqualTo(Status.RUNNING);
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void deadlineKeepsItsMicroseconds() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        Instant odd = at(10).plusNanos(123_456_000);
        park(journal, claim, completion("w", odd));

        assertThat(bench().open().nextDue()).contains(odd);
        assertThat(JournalBench.waitState(journal, "s", "w").deadline()).isEqualTo(odd);
    }

    @Test
    default void deadlineOfOneCompletionLeavesTheOthers() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("a", at(10)), completion("b", at(20)), completion("c"));

        assertThat(journal.takeDue(ALL, at(10))).isEmpty();
        assertThat(resolution(journal, "s", "a")).isEqualTo(TIMED_OUT);
        assertThat(resolution(journal, "s", "b")).isNull();
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
        assertThat(journal.nextDue()).contains(at(20));
        assertThat(journal.takeDue(ALL, at(30))).isEmpty();
        journal.resolve(id("s"), claim.incarnation(), named("c"), ok(1), false, at(31));
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
    }

    @Test
    default void severalDeadlinesOfAScopeTakeItOnce() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("a", at(10)), completion("b", at(20)));

        assertThat(journal.takeDue(ALL, at(30))).hasSize(1);
        assertThat(resolution(journal, "s", "a")).isEqualTo(TIMED_OUT);
        assertThat(resolution(journal, "s", "b")).isEqualTo(TIMED_OUT);
    }

    @Test
    default void deadlineOfAnEventWakesAtOnce() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        var event = new OpenWait(named("e"), OpenWait.Kind.EVENT, at(10), null);
        park(journal, claim, event, completion("c"));

        assertThat(journal.takeDue(ALL, at(10))).hasSize(1);
        assertThat(resolution(journal, "s", "e")).isEqualTo(TIMED_OUT);
        assertThat(resolution(journal, "s", "c")).isNull();
    }

    @Test
    default void dueTimeTakesTheScopeAndLeavesItsWaits() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.park(claim, List.of(completion("w", at(99))), Set.of(named("w")), false, at(10), at(1));
        assertThat(journal.nextDue()).contains(at(10));

        assertThat(journal.takeDue(ALL, at(9))).isEmpty();
        assertThat(journal.takeDue(ALL, at(10))).extracting(one -> one.scope().value()).containsExactly("s");
        assertThat(resolution(journal, "s", "w")).isNull();
        assertThat(JournalBench.state(journal, "s").wakeAt()).isNull();
        assertThat(journal.nextDue()).contains(at(99));
    }

    @Test
    default void deadlineOfARunningScopeSettlesOnly() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", completion("w", at(10))));
        assertThat(journal.nextDue()).contains(at(10));

        assertThat(journal.takeDue(ALL, at(10))).isEmpty();
        assertThat(resolution(journal, "s", "w")).isEqualTo(TIMED_OUT);
        assertThat(journal.end(claim, RESULT, at(11))).as("still claimed").isTrue();
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void deadlineOfAStuckScopeSettlesOnly() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", completion("w", at(10))));
        journal.stick(claim, "why not", at(1));

        assertThat(journal.takeDue(ALL, at(10))).isEmpty();
        assertThat(resolution(journal, "s", "w")).isEqualTo(TIMED_OUT);
        assertThat(status(journal, "s")).isEqualTo(Status.STUCK);
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void settlementBeforeTheDeadlineWins() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("w", at(10)));
        journal.resolve(id("s"), claim.incarnation(), named("w"), ok(1), false, at(50));

        assertThat(journal.takeDue(ALL, at(60))).isEmpty();
        assertThat(resolution(journal, "s", "w")).isEqualTo(ok(1));
    }

    @Test
    default void settlementAfterTheDeadlineLearnsOfIt() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("w", at(10)));
        journal.takeDue(ALL, at(10));

        assertThat(journal.resolve(id("s"), claim.incarnation(), named("w"), ok(1), true, at(5)))
                .isEqualTo(new Settlement.Lost(TIMED_OUT));
    }

    @Test
    default void atMostSoManyDueScopesAreTaken() {
        StoreDriver journal = bench().open();
        IntStream.range(0, 5).forEach(i -> park(journal, start(journal, "s" + i), completion("w", at(i))));

        assertThat(journal.takeDue(3, at(100))).hasSize(3).doesNotHaveDuplicates();
        assertThat(journal.nextDue()).isPresent();
        assertThat(journal.takeDue(3, at(100))).hasSize(2);
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void earliestComesFirst() {
        StoreDriver journal = bench().open();
        park(journal, start(journal, "late"), completion("w", at(30)));
        park(journal, start(journal, "early"), completion("w", at(10)));
        journal.park(start(journal, "middle"), List.of(), Set.of(), false, at(20), at(1));

        assertThat(journal.nextDue()).contains(at(10));
        assertThat(journal.takeDue(ALL, at(20))).extracting(one -> one.scope().value())
                .containsExactlyInAnyOrder("early", "middle");
        assertThat(journal.nextDue()).contains(at(30));
    }

    @Test
    default void momentsOfEveryAgeAreOrdered() {
        StoreDriver journal = bench().open();
        Instant ancient = Instant.parse("1969-12-31T23:59:59.999999Z");
        Instant distant = Instant.parse("2262-04-12T00:00:00Z");
        park(journal, start(journal, "distant"), completion("w", distant));
        park(journal, start(journal, "old"), completion("w", ancient));

        assertThat(journal.nextDue()).contains(ancient);
        assertThat(journal.takeDue(ALL, at(0))).extracting(one -> one.scope().value()).containsExactly("old");
        assertThat(journal.nextDue()).contains(distant);
    }

    @Test
    default void dueScopeOfADeadProcessIsTaken() {
        StoreDriver one = bench().open();
        park(one, start(one, "s"), completion("w", at(10)));
        one.close();

        assertThat(bench().open().takeDue(ALL, at(10))).hasSize(1);
    }

    @Test
    default void timeMovesNoOwnership() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");

        assertThat(other.takeReady(ALL, LIMIT, at(1_000_000_000))).isEmpty();
        assertThat(other.takeDue(ALL, at(1_000_000_000))).isEmpty();
        assertThat(other.takeReady(ALL, LIMIT, at(-1_000_000_000))).isEmpty();
        assertThat(one.end(claim, RESULT, at(-5))).isTrue();
    }
}
