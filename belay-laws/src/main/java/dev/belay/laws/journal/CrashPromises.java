package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.effect;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.input;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.testkit.Trap;
import dev.belay.testkit.crash.RecordsOpening;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A write is there as a whole or not at all, at every point of death (L.6). */
interface CrashPromises extends JournalPromises {

    @TestFactory
    default Stream<DynamicTest> crashLeavesAllOrNothing() {
        return JournalWrite.all().stream().map(write -> DynamicTest.dynamicTest(write.name(), () -> {
            String without = traces(write, false, null);
            String with = traces(write, true, null);
            if (write.leavesTraces()) {
                assertThat(with).as("the write can be seen").isNotEqualTo(without);
            }
            assertThat(traces(write, true, Moment.BEFORE)).as("before").isEqualTo(without);
            assertThat(traces(write, true, Moment.INSIDE)).as("inside").isEqualTo(without);
            assertThat(traces(write, true, Moment.AFTER)).as("after").isEqualTo(with);
        }));
    }

    /** The records that other journals find after a journal was set up, wrote or not, and died. */
    private String traces(JournalWrite write, boolean act, @Nullable Moment crash) {
        RecordsOpening records = bench().freshRecords();
        var trap = new Trap();
        StoreDriver journal = bench().open(records, trap);
        StoreDriver reader = bench().open(records, JournalProbe.NONE);
        Claim claim = write.setUp().apply(journal);
        if (act && crash == null) {
            write.act().accept(journal, claim);
        } else if (act && crash != null) {
            trap.arm(crash, write.name());
            assertThatThrownBy(() -> write.act().accept(journal, claim))
                    .isInstanceOf(SimulatedCrash.class)
                    .hasMessage("simulated crash: " + crash + " " + write.name());
        }
        journal.close();
        String traces = write.tracesFor(reader);
        reader.close();
        return traces;
    }

    @TestFactory
    default Stream<DynamicTest> probeHearsEveryWrite() {
        return JournalWrite.all().stream().map(write -> DynamicTest.dynamicTest(write.name(), () -> {
            var trap = new Trap();
            StoreDriver journal = bench().open(bench().freshRecords(), trap);
            Claim claim = write.setUp().apply(journal);
            trap.listen();
            write.act().accept(journal, claim);
            assertThat(trap.heard()).containsExactly("BEFORE " + write.name(), "INSIDE " + write.name(),
                    "AFTER " + write.name());
            journal.close();
        }));
    }

    @Test
    default void readingIsNoWrite() {
        var trap = new Trap();
        StoreDriver journal = bench().open(trap);
        start(journal, "s");
        trap.listen();
        journal.state(id("s"));
        journal.effects(id("s"));
        journal.waits(id("s"));
        journal.lateResults(id("s"));
        journal.stuck();
        journal.nextDue();
        journal.kept("s", AttachmentPromises.ABC.reference());
        journal.version();
        journal.currentSecret();
        journal.takeReady(ALL, LIMIT, at(1));
        journal.takeDue(ALL, at(1));

        assertThat(trap.heard()).isEmpty();
    }

    @Test
    default void crashedJournalIsDead() {
        for (Moment moment : Moment.values()) {
            RecordsOpening records = bench().freshRecords();
            var trap = new Trap();
            StoreDriver journal = bench().open(records, trap);
            StoreDriver other = bench().open(records, JournalProbe.NONE);
            Claim claim = start(journal, "s");
            trap.arm(moment);
            Throwable crash = catchThrowable(() -> journal.end(claim, RESULT, at(1)));

            assertThat(crash).isInstanceOf(SimulatedCrash.class);
            List<Runnable> calls = List.of(() -> journal.submit(id("t"), input("t"), true, at(1)),
                    () -> journal.state(id("s")), () -> journal.effects(id("s")),
                    () -> journal.end(claim, RESULT, at(1)), () -> journal.takeReady(ALL, LIMIT, at(1)),
                    () -> journal.nextDue(), () -> journal.version(), () -> journal.currentSecret());
            for (Runnable call : calls) {
                assertThat(catchThrowable(call::run)).as("%s", moment).isSameAs(crash);
            }
            assertThat(other.state(id("t"))).isEmpty();
            if (moment == Moment.AFTER) {
                assertThat(other.takeReady(ALL, LIMIT, at(2))).isEmpty();
            } else {
                assertThat(takeOne(other).fence()).as("dead without having been closed").isEqualTo(2);
            }
            journal.close();
        }
    }

    @Test
    default void failedJournalAnswersAndLetsGo() {
        RecordsOpening records = bench().freshRecords();
        StoreDriver journal = bench().open(records, JournalProbe.NONE);
        StoreDriver other = bench().open(records, JournalProbe.NONE);
        Claim claim = start(journal, "s");
        var why = JournalException.failed(new OutOfMemoryError("simulated"));
        journal.fail(why);

        List<Runnable> calls = List.of(() -> journal.submit(id("t"), input("t"), true, at(1)),
                () -> journal.state(id("s")), () -> journal.end(claim, RESULT, at(1)),
                () -> journal.takeReady(ALL, LIMIT, at(1)), () -> journal.version());
        for (Runnable call : calls) {
            assertThat(catchThrowable(call::run)).isSameAs(why);
        }
        journal.close();
        assertThat(catchThrowable(() -> journal.state(id("s")))).as("closed later").isSameAs(why);
        assertThat(takeOne(other).fence()).isEqualTo(2);
    }

    @Test
    default void crashNeverLeavesHalfOfALargeResult() {
        Json large = Json.string("x".repeat(70_000));
        for (Moment moment : Moment.values()) {
            RecordsOpening records = bench().freshRecords();
            var trap = new Trap();
            StoreDriver journal = bench().open(records, trap);
            Claim claim = start(journal, "s");
            trap.arm(moment);
            assertThatThrownBy(() -> journal.write(claim, completed("a", large)))
                    .isInstanceOf(SimulatedCrash.class);
            StoreDriver other = bench().open(records, JournalProbe.NONE);
            Claim next = takeOne(other);

            assertThat(other.effects(id("s"))).as("%s", moment).allMatch(row -> large.equals(row.result()));
            assertThat(other.write(next, completed("b", large)).refusal()).isNull();
            other.collectOutputs(at(99));
            assertThat(effect(other, "s", "b").result()).isEqualTo(large);
        }
    }

    @Test
    default void errorOfAProbeIsACrashToo() {
        var crash = new AssertionError("the probe is gone");
        StoreDriver journal = bench().open((moment, write) -> {
            if (moment == Moment.INSIDE) {
                throw crash;
            }
        });

        assertThat(catchThrowable(() -> start(journal, "s"))).isSameAs(crash);
        assertThat(catchThrowable(() -> journal.state(id("s")))).isSameAs(crash);
        assertThat(bench().open().state(id("s"))).isEmpty();
    }

    @Test
    default void othersGoOnAfterACrash() {
        var trap = new Trap();
        StoreDriver journal = bench().open(trap);
        StoreDriver other = bench().open();
        Claim claim = start(other, "t");
        trap.arm(Moment.INSIDE);
        assertThat(catchThrowable(() -> start(journal, "s"))).isInstanceOf(SimulatedCrash.class);

        assertThat(other.end(claim, RESULT, at(1))).isTrue();
        assertThat(start(bench().open(), "s").fence()).isEqualTo(1);
    }
}
