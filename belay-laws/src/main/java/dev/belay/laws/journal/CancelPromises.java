package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.opening;
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
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Cancelling;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Settlement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A cancellation is durable, and ordered against the end (G.2). */
interface CancelPromises extends JournalPromises {

    /** The request is recorded, and no scope was claimed. */
    Cancelling REQUESTED = new Cancelling(new CancelReceipt.Requested(), null);

    @Test
    default void parkedScopeBecomesReady() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("a", at(9)), event("e"), completion("b"));
        journal.resolve(id("s"), claim.incarnation(), named("a"), ok(1), false, at(1));

        assertThat(journal.cancel(id("s"), "enough", false, at(2))).isEqualTo(REQUESTED);
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
        assertThat(resolution(journal, "s", "a")).as("was settled before").isEqualTo(ok(1));
        assertThat(resolution(journal, "s", "b")).isEqualTo(new Resolution.Cancelled("enough"));
        assertThat(resolution(journal, "s", "e")).isEqualTo(new Resolution.Cancelled("enough"));
        assertThat(journal.nextDue()).isEmpty();
        Claim next = takeOne(journal);
        assertThat(next.cancelReason()).isEqualTo("enough");
        assertThat(next.fence()).isEqualTo(2);
    }

    @Test
    default void parkedScopeCanBeOwnedAtOnce() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.park(claim, List.of(), Set.of(), false, at(99), at(1));

        assertThat(other.cancel(id("s"), "enough", true, at(2))).isEqualTo(new Cancelling(
                new CancelReceipt.Requested(), new Claim(id("s"), claim.input(), 2, claim.incarnation(),
                        claim.secret(), 1, "enough")));
        assertThat(status(one, "s")).isEqualTo(Status.RUNNING);
        assertThat(one.nextDue()).isEmpty();
    }

    @Test
    default void runningScopeGoesOn() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.write(claim, opening("a", completion("w")));

        assertThat(other.cancel(id("s"), "enough", true, at(2))).isEqualTo(REQUESTED);
        assertThat(state(one, "s").cancelReason()).isEqualTo("enough");
        assertThat(status(one, "s")).isEqualTo(Status.RUNNING);
        assertThat(resolution(one, "s", "w")).isEqualTo(new Resolution.Cancelled("enough"));
        assertThat(one.end(claim, RESULT, at(3))).isTrue();
        assertThat(state(one, "s").cancelReason()).isEqualTo("enough");
    }

    @Test
    default void readyScopeStaysReady() {
        StoreDriver journal = bench().open();
        submit(journal, "s");

        assertThat(journal.cancel(id("s"), "enough", true, at(2))).isEqualTo(REQUESTED);
        assertThat(takeOne(journal).cancelReason()).isEqualTo("enough");
    }

    @Test
    default void cancelledStuckScopeStaysStuck() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", completion("w")));
        journal.stick(claim, "why not", at(1));

        assertThat(journal.cancel(id("s"), "enough", true, at(2))).isEqualTo(REQUESTED);
        assertThat(status(journal, "s")).isEqualTo(Status.STUCK);
        assertThat(resolution(journal, "s", "w")).isEqualTo(new Resolution.Cancelled("enough"));
        journal.retry(id("s"), at(3));
        assertThat(takeOne(journal).cancelReason()).isEqualTo("enough");
    }

    @Test
    default void secondCancellationLearnsTheFirst() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.cancel(id("s"), "enough", false, at(2));
        journal.park(claim, List.of(completion("w")), Set.of(named("w")), true, null,
                at(3));

        assertThat(journal.cancel(id("s"), "more than enough", true, at(4)))
                .isEqualTo(new Cancelling(new CancelReceipt.AlreadyRequested("enough"), null));
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
        assertThat(resolution(journal, "s", "w")).isNull();
        assertThat(state(journal, "s").cancelReason()).isEqualTo("enough");
    }

    @Test
    default void endedScopeShowsItsResult() {
        StoreDriver journal = bench().open();
        journal.end(start(journal, "s"), RESULT, at(1));
        Claim cancelled = start(journal, "t");
        journal.cancel(id("t"), "enough", false, at(1));
        journal.end(cancelled, Json.NULL, at(2));

        assertThat(journal.cancel(id("s"), "enough", true, at(2)))
                .isEqualTo(new Cancelling(new CancelReceipt.AlreadyEnded(RESULT), null));
        assertThat(state(journal, "s").cancelReason()).isNull();
        assertThat(journal.cancel(id("t"), "again", true, at(3)))
                .isEqualTo(new Cancelling(new CancelReceipt.AlreadyEnded(Json.NULL), null));
    }

    @Test
    default void noScopeIsUnknown() {
        StoreDriver journal = bench().open();
        assertThat(journal.cancel(id("nobody"), "enough", true, at(2)))
                .isEqualTo(new Cancelling(new CancelReceipt.Unknown(), null));
        assertThat(journal.state(id("nobody"))).isEmpty();
    }

    @Test
    default void settlementAfterCancellationLearnsOfIt() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("w"));
        journal.cancel(id("s"), "enough", false, at(2));

        assertThat(journal.resolve(id("s"), claim.incarnation(), named("w"), ok(1), true, at(3)))
                .isEqualTo(new Settlement.Lost(new Resolution.Cancelled("enough")));
    }

    @Test
    default void cancellationSurvivesTheProcess() {
        StoreDriver one = bench().open();
        start(one, "s");
        one.cancel(id("s"), "enough", false, at(2));
        one.close();

        Claim claim = takeOne(bench().open());
        assertThat(claim.cancelReason()).isEqualTo("enough");
    }
}
