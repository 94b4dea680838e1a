package dev.belay.benchmarks.durable;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Opens hosts and makes batches. */
final class Bench {

    /** A waiting scope parks at once. */
    static final HostOptions PARK_AT_ONCE = HostOptions.DEFAULT
            .withParkAfter(Duration.ZERO);

    /** Every wait is shorter, unless something hangs. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private Bench() {}

    static DurableCalls inMemory(ToolProvider tools) {
        return DurableCalls.open(JournalEffectHost.open(new SharedMemory().open()), tools);
    }

    static DurableCalls onSqlite(Path folder, ToolProvider tools) {
        return onSqlite(folder, tools, HostOptions.DEFAULT);
    }

    static DurableCalls onSqlite(Path folder, ToolProvider tools, HostOptions options) {
        return DurableCalls.open(JournalEffectHost.open(JdbcStore.sqlite(file(folder)), options),
                tools);
    }

    static Path file(Path folder) {
        return folder.resolve("journal.db");
    }

    /** The same call so many times. */
    static List<CallRequest> calls(String tool, int count) {
        return IntStream.range(0, count).mapToObj(n -> call(tool, n)).toList();
    }

    static CallRequest call(String tool, int n) {
        return new CallRequest(tool, "{\"n\":" + n + "}");
    }

    /** Runs a batch; throws if a call has failed. */
    static void run(DurableCalls calls, String name, List<CallRequest> batch) throws InterruptedException {
        for (ToolOutcome outcome : calls.run(name, batch).outcomes()) {
            if (!(outcome instanceof ToolOutcome.Success)) {
                throw new IllegalStateException(name + " ended with " + outcome);
            }
        }
    }

    /** A condition that is checked until it holds. */
    interface Question {
        boolean ask() throws Exception;
    }

    static void await(String what, Question question) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!question.ask()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited " + PATIENCE + " for " + what);
            }
            Thread.sleep(1);
        }
    }
}
