package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.present;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A journal takes scopes of the kinds it serves, and any scope by its name. */
interface ServingPromises extends JournalPromises {

    /** As many as a look finds at most, and some more. */
    int MANY = 300;

    private static Claim startOther(StoreDriver journal) {
        return present(((Submission.Created) journal.submit(id("other"),
                new ScopeInput("other kind", Json.string("x")), true, at(0))).claim());
    }

    private static Set<String> ofStart(Claim claim) {
        return Set.of(claim.input().kind(), "and one that nobody has");
    }

    @Test
    default void allKindsAreTakenUntilSomebodySaysOtherwise() {
        StoreDriver one = bench().open();
        start(one, "s");
        startOther(one);
        one.close();
        assertThat(bench().open().takeReady(ALL, LIMIT, at(1))).hasSize(2);
    }

    @Test
    default void readyAndOrphanedScopesOfOtherKindsAreLeftAlone() {
        StoreDriver one = bench().open();
        Claim served = start(one, "s");
        one.submit(id("ready"), new ScopeInput("other kind", Json.string("x")), false, at(0));
        startOther(one);
        one.close();

        StoreDriver two = bench().open();
        two.serve(ofStart(served));
        assertThat(two.takeReady(ALL, LIMIT, at(1))).extracting(Claim::scope).containsExactly(id("s"));
        assertThat(two.takeReady(ALL, LIMIT, at(1))).isEmpty();
        two.serve(Set.of("other kind"));
        assertThat(two.takeReady(ALL, LIMIT, at(2))).extracting(Claim::scope)
                .containsExactlyInAnyOrder(id("ready"), id("other"));
    }

    /** More than one look finds: they would be found again and again, and those behind them never. */
    @Test
    default void manyScopesOfOtherKindsDoNotHideThoseThatAreServed() {
        StoreDriver one = bench().open();
        for (int i = 0; i < MANY; i++) {
            one.submit(id("left " + i), new ScopeInput("other kind", Json.NULL), true, at(0));
            one.submit(id("ready " + i), new ScopeInput("other kind", Json.NULL), false, at(0));
        }
        one.submit(id("left"), new ScopeInput("this kind", Json.NULL), true, at(1));
        one.submit(id("ready"), new ScopeInput("this kind", Json.NULL), false, at(1));
        one.close();
        StoreDriver two = bench().open();
        two.serve(Set.of("this kind"));
        assertThat(two.takeReady(10, LIMIT, at(2))).extracting(Claim::scope)
                .containsExactlyInAnyOrder(id("left"), id("ready"));
    }

    @Test
    default void noMoreScopesAreTakenThanThereIsRoomForAndNoKindWaitsForTheEndOfAnother() {
        StoreDriver one = bench().open();
        for (int i = 0; i < 5; i++) {
            one.submit(id("left " + i), new ScopeInput("other kind", Json.NULL), true, at(0));
        }
        for (int i = 0; i < 5; i++) {
            one.submit(id("ready " + i), new ScopeInput("this kind", Json.NULL), false, at(1));
        }
        one.close();
        StoreDriver two = bench().open();
        two.serve(Set.of("this kind", "other kind"));
        assertThat(two.takeReady(4, LIMIT, at(2))).extracting(Claim::scope)
                .containsExactlyInAnyOrder(id("left 0"), id("left 1"), id("ready 0"), id("ready 1"));
        assertThat(two.takeReady(4, LIMIT, at(2))).hasSize(4);
        assertThat(two.takeReady(4, LIMIT, at(2))).hasSize(2);
    }

    @Test
    default void servingIsNotKept() {
        StoreDriver one = bench().open();
        start(one, "s");
        one.serve(Set.of("nothing"));
        one.close();
        assertThat(bench().open().takeReady(ALL, LIMIT, at(1))).hasSize(1);
    }

    @Test
    default void aScopeOfAnotherKindIsSubmittedAndNotTaken() {
        StoreDriver journal = bench().open();
        journal.serve(Set.of("this kind"));
        assertThat(journal.submit(id("other"), new ScopeInput("other kind", Json.NULL), true, at(0)))
                .isEqualTo(new Submission.Created(null));
        assertThat(status(journal, "other")).isEqualTo(Status.READY);
        assertThat(journal.submit(id("own"), new ScopeInput("this kind", Json.NULL), true, at(0)))
                .isInstanceOfSatisfying(Submission.Created.class,
                        made -> assertThat(made.claim()).isNotNull());
    }

    @Test
    default void whatSettlesAScopeOfAnotherKindMakesItReadyAndTakesItNot() {
        StoreDriver journal = bench().open();
        Claim claim = startOther(journal);
        park(journal, claim, completion("w"));
        journal.serve(Set.of("this kind"));

        assertThat(journal.resolve(id("other"), claim.incarnation(), named("w"), ok(1), true, at(2)))
                .isEqualTo(new Settlement.Accepted(null));
        assertThat(status(journal, "other")).isEqualTo(Status.READY);
        journal.serve(Set.of("other kind"));
        assertThat(journal.takeReady(ALL, LIMIT, at(3))).singleElement()
                .satisfies(taken -> assertThat(taken.entries()).isEqualTo(1));
    }

    @Test
    default void whatCancelsAScopeOfAnotherKindMakesItReadyAndTakesItNot() {
        StoreDriver journal = bench().open();
        park(journal, startOther(journal), completion("w"));
        journal.serve(Set.of("this kind"));

        assertThat(journal.cancel(id("other"), "enough", true, at(2)).woken()).isNull();
        assertThat(status(journal, "other")).isEqualTo(Status.READY);
    }

    @Test
    default void aScopeOfAnotherKindThatIsDueBecomesReadyAndIsNotTaken() {
        StoreDriver journal = bench().open();
        park(journal, startOther(journal), completion("w", at(10)));
        Claim served = start(journal, "s");
        park(journal, served, event("w"), completion("v", at(10)));
        journal.serve(ofStart(served));

        assertThat(journal.takeDue(ALL, at(10))).extracting(Claim::scope).containsExactly(id("s"));
        assertThat(status(journal, "other")).isEqualTo(Status.READY);
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void aScopeOfAnotherKindWhoseOwnTimeHasComeBecomesReady() {
        StoreDriver journal = bench().open();
        journal.park(startOther(journal), List.of(), Set.of(), false, at(10), at(1));
        journal.serve(Set.of("this kind"));

        assertThat(journal.takeDue(ALL, at(10))).isEmpty();
        assertThat(status(journal, "other")).isEqualTo(Status.READY);
        assertThat(journal.nextDue()).isEmpty();
    }

    @Test
    default void aClaimSaysWhetherTheLastOwnerDiedWhileTheScopeRan() {
        StoreDriver one = bench().open();
        start(one, "left");
        one.giveBack(start(one, "given back"), at(1));
        one.submit(id("new"), new ScopeInput("kind", Json.string("x")), false, at(1));
        park(one, start(one, "parked"), completion("w", at(10)));
        one.close();
        StoreDriver two = bench().open();

        assertThat(two.takeReady(ALL, LIMIT, at(2))).extracting(claim -> claim.scope() + ": " + claim.left())
                .containsExactlyInAnyOrder("left: true", "given back: false", "new: false");
        assertThat(two.takeDue(ALL, at(10))).extracting(Claim::left).containsExactly(false);
    }

    @Test
    default void anyScopeThatNobodyRunsIsClaimedByItsName() {
        StoreDriver one = bench().open();
        Claim parked = startOther(one);
        park(one, parked, completion("w"));
        one.submit(id("ready"), new ScopeInput("other kind", Json.string("x")), false, at(0));
        Claim orphan = start(one, "s");
        StoreDriver two = bench().open();
        two.serve(Set.of("nothing"));

        assertThat(two.claim(id("s"), at(2))).as("its owner lives").isEmpty();
        one.close();
        assertThat(two.claim(id("s"), at(2))).contains(new Claim(id("s"), orphan.input(), 2,
                orphan.incarnation(), orphan.secret(), 1, null).ofTheDead());
        assertThat(two.claim(id("other"), at(2))).contains(new Claim(id("other"), parked.input(), 2,
                parked.incarnation(), parked.secret(), 1, null));
        assertThat(two.claim(id("ready"), at(2))).isPresent();
        assertThat(status(two, "other")).isEqualTo(Status.RUNNING);
        assertThat(two.claim(id("other"), at(3))).as("it runs here").isEmpty();
        assertThat(two.waits(id("other"))).as("its waits stay").hasSize(1);
    }

    @Test
    default void aScopeThatIsStuckHasEndedOrIsUnknownIsNotClaimed() {
        StoreDriver journal = bench().open();
        journal.stick(start(journal, "stuck"), "why", at(1));
        journal.end(start(journal, "ended"), RESULT, at(1));

        assertThat(journal.claim(id("stuck"), at(2))).isEmpty();
        assertThat(journal.claim(id("ended"), at(2))).isEmpty();
        assertThat(journal.claim(id("unknown"), at(2))).isEmpty();
        assertThat(status(journal, "stuck")).isEqualTo(Status.STUCK);
    }

    @Test
    default void claimingIsNoEntryThatCountsAgainstTheScope() {
        StoreDriver journal = bench().open();
        for (int i = 0; i < 3 * LIMIT; i++) {
            Claim claim = i == 0 ? start(journal, "s") : journal.claim(id("s"), at(i)).orElseThrow();
            assertThat(claim.entries()).isEqualTo(1);
            journal.park(claim, List.of(), Set.of(), false, null, at(i));
        }
    }
}
