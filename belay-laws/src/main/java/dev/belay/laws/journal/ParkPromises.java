package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.opening;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.state;
import static dev.belay.laws.journal.JournalBench.status;
import static dev.belay.laws.journal.JournalBench.tryPark;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.tool.context.Fence;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A scope parks only if none of its waits is settled (J.3). */
interface ParkPromises extends JournalPromises {

    /** The scope must read its waits again. */
    Parking AGAIN = new Parking.Again();

    @Test
    default void parkedScopeHasNoOwner() {
        StoreDriver one = bench().open();
        Claim claim = start(one, "s");
        var wait = new OpenWait(named("w"), OpenWait.Kind.COMPLETION, at(9), "ask your boss");
        Parking parking = one.park(claim, List.of(wait), Set.of(named("w")), false, at(30), at(2));

        assertThat(parking).isEqualTo(new Parking.Parked());
        assertThat(state(one, "s")).isEqualTo(new ScopeState(id("s"), claim.input(), Status.PARKED,
                new Fence(1), 1, null, at(30), null, null));
        assertThat(one.waits(id("s"))).containsExactly(
                new WaitState(named("w"), OpenWait.Kind.COMPLETION, at(9), "ask your boss", true, null));
        assertThat(one.takeReady(ALL, LIMIT, at(3))).isEmpty();
        one.close();
        assertThat(bench().open().takeReady(ALL, LIMIT, at(3))).isEmpty();
    }

    @Test
    default void settledWaitKeepsTheScopeAwake() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", completion("a")));
        journal.resolve(id("s"), claim.incarnation(), named("a"), ok(1), false, at(1));

        assertThat(journal.park(claim, List.of(completion("b")), Set.of(named("a"), named("b")), false, at(9),
                at(2))).isEqualTo(AGAIN);
        assertThat(status(journal, "s")).isEqualTo(Status.RUNNING);
        assertThat(state(journal, "s").wakeAt()).isNull();
        assertThat(journal.waits(id("s"))).as("nothing is opened").hasSize(1);
        assertThat(journal.nextDue()).isEmpty();
        assertThat(journal.write(claim, completed("b", Json.TRUE)).refusal()).as("still claimed").isNull();
    }

    @Test
    default void earlySettlementKeepsTheScopeAwake() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.resolve(id("s"), claim.incarnation(), named("a"), ok(1), false, at(1));

        assertThat(tryPark(journal, claim, completion("a"))).isEqualTo(AGAIN);
        assertThat(tryPark(journal, claim, event("a"), event("b"))).isEqualTo(AGAIN);
        assertThat(journal.park(claim, List.of(event("a")), Set.of(), false, null, at(2))).isEqualTo(AGAIN);
        assertThat(status(journal, "s")).isEqualTo(Status.RUNNING);
    }

    @Test
    default void settledWaitThatIsNotWaitedForDoesNotMatter() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.resolve(id("s"), claim.incarnation(), named("old"), ok(1), false, at(1));

        park(journal, claim, completion("new"));
        assertThat(status(journal, "s")).isEqualTo(Status.PARKED);
    }

    @Test
    default void cancellationKeepsTheScopeAwakeUntilItIsSeen() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.cancel(id("s"), "enough", false, at(1));

        assertThat(tryPark(journal, claim, completion("a"))).isEqualTo(AGAIN);
        assertThat(status(journal, "s")).isEqualTo(Status.RUNNING);
        assertThat(journal.waits(id("s"))).isEmpty();
        assertThat(journal.park(claim, List.of(completion("a")), Set.of(named("a")), true, null, at(2)))
                .isEqualTo(new Parking.Parked());
    }

    @Test
    default void openWaitIsNotOpenedAgain() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, opening("a", completion("w", at(9))));
        park(journal, claim, completion("w", at(99)));

        assertThat(journal.waits(id("s"))).hasSize(1);
        assertThat(journal.nextDue()).as("a restart does not begin the time anew").contains(at(9));
    }

    @Test
    default void parkedScopeMayWaitForTimeAlone() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        assertThat(journal.park(claim, List.of(), Set.of(), false, at(9), at(1)))
                .isEqualTo(new Parking.Parked());
        assertThat(journal.nextDue()).contains(at(9));
    }

    @Test
    default void parkedScopeMayParkAgainAfterItWasWoken() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, event("e"), event("f"));
        journal.resolve(id("s"), claim.incarnation(), named("e"), ok(1), false, at(1));
        Claim next = JournalBench.takeOne(journal);

        assertThat(journal.park(next, List.of(), Set.of(named("f")), false, null, at(2)))
                .isEqualTo(new Parking.Parked());
        journal.resolve(id("s"), claim.incarnation(), named("f"), ok(1), false, at(1));
        assertThat(status(journal, "s")).isEqualTo(Status.READY);
    }
}
