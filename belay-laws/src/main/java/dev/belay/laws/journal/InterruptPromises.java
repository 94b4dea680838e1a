package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.testkit.Trap;
import dev.belay.testkit.crash.RecordsOpening;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** An interrupt neither stops a write nor is lost. */
interface InterruptPromises extends JournalPromises {

    /** When the thread is interrupted. */
    enum When {
        /** Not at all. */
        NEVER,
        /** Before it calls. */
        BEFORE,
        /** While its write is under way. */
        DURING
    }

    @TestFactory
    default Stream<DynamicTest> interruptedWriteIsAppliedOnce() {
        return JournalWrite.all().stream().map(write -> DynamicTest.dynamicTest(write.name(), () -> {
            String expected = traces(write, When.NEVER);
            assertThat(traces(write, When.BEFORE)).as("before").isEqualTo(expected);
            assertThat(traces(write, When.DURING)).as("during").isEqualTo(expected);
        }));
    }

    private String traces(JournalWrite write, When when) {
        RecordsOpening records = bench().freshRecords();
        var trap = new Trap();
        StoreDriver journal = bench().open(records, trap);
        StoreDriver reader = bench().open(records, JournalProbe.NONE);
        Claim claim = write.setUp().apply(journal);
        Thread caller = Thread.currentThread();
        trap.listen();
        if (when == When.DURING) {
            trap.inside(caller::interrupt);
        } else if (when == When.BEFORE) {
            caller.interrupt();
        }
        write.act().accept(journal, claim);
        assertThat(Thread.interrupted()).as("interrupted").isEqualTo(when != When.NEVER);
        assertThat(trap.heard()).as("applied once").hasSize(3);
        journal.close();
        String traces = write.tracesFor(reader);
        reader.close();
        return traces;
    }

    @Test
    default void interruptedReadAnswers() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, completed("a", Json.string("x".repeat(70_000))));
        journal.late(id("s"), "a", Json.TRUE, at(1));
        Map<String, Callable<Object>> reads = new LinkedHashMap<>();
        reads.put("state", () -> journal.state(id("s")));
        reads.put("effects", () -> journal.effects(id("s")));
        reads.put("waits", () -> journal.waits(id("s")));
        reads.put("lateResults", () -> journal.lateResults(id("s")));
        reads.put("stuck", journal::stuck);
        reads.put("nextDue", journal::nextDue);
        reads.put("currentSecret", () -> journal.currentSecret().id());
        reads.put("secret", () -> journal.secret(1).isPresent());
        reads.put("version", journal::version);
        reads.put("takeReady", () -> journal.takeReady(9, 9, at(1)));
        reads.put("takeDue", () -> journal.takeDue(9, at(1)));
        reads.forEach((name, read) -> {
            Object expected = answer(read);
            Thread.currentThread().interrupt();
            assertThat(answer(read)).as(name).isEqualTo(expected);
            assertThat(Thread.interrupted()).as(name).isTrue();
        });
    }

    private static Object answer(Callable<Object> read) {
        try {
            return read.call();
        } catch (Exception e) {
            throw new AssertionError("an interrupt must not fail a read", e);
        }
    }
}
