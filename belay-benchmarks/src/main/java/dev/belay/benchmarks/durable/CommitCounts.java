package dev.belay.benchmarks.durable;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Counts the commits of each kind of call, each alone in a file of its own, so that no calls share a commit. */
final class CommitCounts {

    private final Disk disk;
    private final List<Line> lines = new ArrayList<>();

    private CommitCounts(Disk disk) {
        this.disk = disk;
    }

    static List<Line> count(Disk disk) throws Exception {
        System.err.println("commits");
        var counts = new CommitCounts(disk);
        counts.all();
        return counts.lines;
    }

    private void all() throws Exception {
        int frame = counted(List.of()); // accept and end
        int accept = accepted();
        line("accept", 1, accept);
        line("end", 1, frame - accept);
        int read = counted(Bench.calls("look", 1)) - frame;
        int once = counted(Bench.calls("pay", 1)) - frame;
        line("call, `READ`", 1, read);
        line("call, `ONCE`", 2, once);
        line("call, `IDEMPOTENT`", 1, counted(Bench.calls("put", 1)) - frame);
        line("call, `IDEMPOTENT`, payload prepared", 2, counted(Bench.calls("put_prepared", 1)) - frame);
        line("call, `IDEMPOTENT`, completion key taken", 2, counted(Bench.calls("put_with_key", 1)) - frame);
        line("a failed attempt that is tried again", 1, counted(Bench.calls("look_twice", 1)) - frame - read);
        line("exclusive, `READ`", 1, counted(Bench.calls("look_alone", 1)) - frame - read);
        line("exclusive, `ONCE`", 0, counted(Bench.calls("pay_alone", 1)) - frame - once);
        int resumable = counted(steps("steps", 0));
        line("step of a resumable body, `READ`", 1, counted(steps("steps", 1)) - resumable);
        line("step of a resumable body, `ONCE`", 2, counted(steps("steps_once", 1)) - resumable);
        parked(frame + read);
    }

    private void line(String what, int expected, int found) {
        lines.add(new Line("commits: " + what, Integer.toString(found), "", "", Integer.toString(expected),
                expected == found));
    }

    private static List<CallRequest> steps(String tool, int count) {
        return List.of(Bench.call(tool, count));
    }

    private int accepted() throws Exception {
        Path folder = disk.folder("accept");
        try (var host = JournalEffectHost.open(JdbcStore.sqlite(Bench.file(folder)))) {
            var log = new CommitLog(Bench.file(folder));
            host.submit(new ScopeId("batch"), new ScopeInput("any/1", Json.NULL));
            return log.commits();
        }
    }

    private int counted(List<CallRequest> batch) throws Exception {
        Path folder = disk.folder("count");
        try (var calls = Bench.onSqlite(folder, new BenchTools())) {
            var log = new CommitLog(Bench.file(folder));
            Bench.run(calls, "batch", batch);
            return log.commits();
        }
    }

    /** A call that parks at once and is settled when its scope has parked. */
    private void parked(int plain) throws Exception {
        Path folder = disk.folder("park");
        var tools = new BenchTools();
        try (DurableCalls calls = Bench.onSqlite(folder, tools, Bench.PARK_AT_ONCE)) {
            var log = new CommitLog(Bench.file(folder));
            calls.submit("batch", Bench.calls("ask", 1));
            Bench.await("a call to park", () -> calls.state("batch")
                    .filter(state -> state.status() == ScopeState.Status.PARKED)
                    .isPresent());
            int parked = log.commits();
            calls.resolve(tools.tokens().iterator().next(), Resolution.ok(Json.string("answer")));
            Bench.run(calls, "batch", Bench.calls("ask", 1));
            // the end is still to come; the start is recorded before the key is handed out, whatever the effect
            line("park, `READ`, with the start of a call that takes its key", 2, parked - (plain - 1));
            line("settle", 1, log.commits() - parked - 1);
        }
    }
}
