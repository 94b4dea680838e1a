package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completedWithout;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.row;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.started;
import static dev.belay.laws.journal.JournalBench.startedWith;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A resource has one living holder, and a fence that grows (E.2, L.8). */
interface ResourcePromises extends JournalPromises {

    /** Another scope holds the resource. */
    Written BUSY = new Written(Refusal.BUSY, 0);

    /** The fence of a resource that was taken. */
    private static long fence(Written written) {
        assertThat(written.refusal()).isNull();
        assertThat(written.resourceFence()).isPositive();
        return written.resourceFence();
    }

    @Test
    default void resourceIsTakenWithTheStart() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");

        fence(journal.write(one, startedWith("a", "r")));
        assertThat(journal.write(other, startedWith("a", "r"))).isEqualTo(BUSY);
        assertThat(journal.effects(id("t"))).as("nothing is written").isEmpty();
        fence(journal.write(other, startedWith("a", "another")));
    }

    @Test
    default void anotherRecordOfTheScopeIsAnotherHolder() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, startedWith("a", "r"));

        assertThat(journal.write(claim, startedWith("b", "r"))).isEqualTo(BUSY);
    }

    @Test
    default void busyWriteWritesNothing() {
        StoreDriver journal = bench().open();
        journal.write(start(journal, "s"), startedWith("a", "r"));
        Claim claim = start(journal, "t");
        journal.write(claim, started("a"));
        claim = journal.reenter(claim, 5, at(1)).orElseThrow();
        var write = new EffectWrite(row("a", Status.COMPLETED, Json.TRUE), "r", null,
                List.of(completion("w")), at(1));

        assertThat(journal.write(claim, write)).isEqualTo(BUSY);
        assertThat(JournalBench.effect(journal, "t", "a").status()).isEqualTo(Status.STARTED);
        assertThat(journal.waits(id("t"))).isEmpty();
        assertThat(journal.reenter(claim, 5, at(1)).orElseThrow().entries()).isEqualTo(2);
    }

    @Test
    default void refusedWriteTakesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, completed("a", Json.TRUE));

        assertThat(journal.write(claim, startedWith("a", "r")).refusal()).isEqualTo(Refusal.CONFLICT);
        fence(journal.write(start(journal, "t"), startedWith("b", "r")));
    }

    @Test
    default void conflictComesBeforeBusy() {
        StoreDriver journal = bench().open();
        journal.write(start(journal, "s"), startedWith("a", "r"));
        Claim claim = start(journal, "t");
        journal.write(claim, completed("a", Json.TRUE));

        assertThat(journal.write(claim, startedWith("a", "r")).refusal()).isEqualTo(Refusal.CONFLICT);
    }

    @Test
    default void resourceIsReleasedWithTheOutcome() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        long first = fence(journal.write(one, startedWith("a", "r")));

        assertThat(journal.write(one, completedWithout("a", "r"))).isEqualTo(new Written(null, 0));
        assertThat(fence(journal.write(other, startedWith("a", "r")))).isGreaterThan(first);
    }

    @Test
    default void outcomeReleasesOnlyWhatItsRecordHolds() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        journal.write(one, startedWith("a", "r"));
        journal.write(other, completedWithout("a", "r"));

        assertThat(journal.write(other, startedWith("b", "r"))).isEqualTo(BUSY);
    }

    @Test
    default void refusedOutcomeReleasesNothing() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        journal.write(one, startedWith("a", "r"));
        journal.giveBack(one, at(1));

        assertThat(journal.write(one, completedWithout("a", "r")).refusal()).isEqualTo(Refusal.FENCED);
        assertThat(journal.write(other, startedWith("a", "r"))).isEqualTo(BUSY);
    }

    @Test
    default void resourceIsReleasedAfterwards() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        journal.write(one, startedWith("a", "r"));
        journal.end(one, Json.TRUE, at(1));
        assertThat(journal.write(other, startedWith("b", "r"))).as("a body may outlive its scope")
                .isEqualTo(BUSY);

        journal.release("r", id("t"), "a");
        journal.release("r", id("s"), "b");
        journal.release("nothing", id("s"), "a");
        assertThat(journal.write(other, startedWith("b", "r"))).as("held by another record").isEqualTo(BUSY);
        journal.release("r", id("s"), "a");
        fence(journal.write(other, startedWith("b", "r")));
        journal.release("r", id("s"), "a");
        assertThat(journal.write(start(journal, "u"), startedWith("c", "r"))).as("released long ago")
                .isEqualTo(BUSY);
    }

    @Test
    default void deadHolderMakesWay() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        long first = fence(one.write(start(one, "s"), startedWith("a", "r")));
        Claim claim = start(other, "t");
        assertThat(other.write(claim, startedWith("b", "r"))).isEqualTo(BUSY);
        one.close();

        assertThat(fence(other.write(claim, startedWith("b", "r")))).isGreaterThan(first);
    }

    @Test
    default void holderIsTheJournalToo() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Claim claim = start(one, "s");
        one.write(claim, startedWith("a", "r"));
        one.giveBack(claim, at(1));
        Claim next = takeOne(other);

        assertThat(other.write(next, startedWith("a", "r"))).as("its body may still run there")
                .isEqualTo(BUSY);
        other.release("r", id("s"), "a");
        assertThat(other.write(next, startedWith("a", "r"))).as("not its to release").isEqualTo(BUSY);
        one.release("r", id("s"), "a");
        fence(other.write(next, startedWith("a", "r")));
    }

    @Test
    default void holderMayTakeAgain() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        long first = fence(journal.write(claim, startedWith("a", "r")));
        long second = fence(journal.write(claim, startedWith("a", "r")));

        assertThat(second).isGreaterThan(first);
        assertThat(fence(journal.take(claim, "r", "a", at(1)))).isGreaterThan(second);
    }

    @Test
    default void resourceIsTakenWithoutARecord() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");

        long first = fence(journal.take(one, "r", "body", at(1)));
        assertThat(journal.effects(id("s"))).isEmpty();
        assertThat(journal.take(other, "r", "body", at(1))).isEqualTo(BUSY);
        assertThat(journal.write(other, startedWith("a", "r"))).isEqualTo(BUSY);
        journal.release("r", id("s"), "body");
        assertThat(fence(journal.take(other, "r", "body", at(1)))).isGreaterThan(first);
    }

    @Test
    default void parkingKeepsTheResource() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        journal.write(one, startedWith("a", "r"));
        JournalBench.park(journal, one, completion("w"));

        assertThat(journal.write(start(journal, "t"), startedWith("a", "r"))).isEqualTo(BUSY);
    }

    @Test
    default void resourceFenceSurvivesTheProcess() {
        StoreDriver one = bench().open();
        long first = fence(one.write(start(one, "s"), startedWith("a", "r")));
        one.release("r", id("s"), "a");
        one.close();
        StoreDriver other = bench().open();

        assertThat(fence(other.write(start(other, "t"), startedWith("a", "r")))).isGreaterThan(first);
    }
}
