package dev.belay.benchmarks.durable;

import com.sun.management.OperatingSystemMXBean;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * One message with many blocking calls. Its lower bound is the time of one call plus the processor time of all of them, spread
 * over the cores; processor time is that of the whole process during the batch, collector and compiler included.
 */
final class Batches {

    private static final int CALLS = 1_000;
    /** Spring AI runs them one after another, which would take a minute. */
    private static final int CALLS_IN_TURN = 50;
    private static final int WARM_UPS = 3;
    private static final double BAR = 1.5;

    private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory
            .getOperatingSystemMXBean();

    /**
     * One batch.
     *
     * @param wall milliseconds that it took
     * @param processor milliseconds of processor time, divided by the number of cores
     */
    private record Ran(double wall, double processor) {

        double timesLeast() {
            return wall / (BenchTools.NAP.toMillis() + processor);
        }
    }

    private final Disk disk;
    private final int rounds;
    private final List<Line> lines = new ArrayList<>();
    private int batches;

    private Batches(Disk disk, int rounds) {
        this.disk = disk;
        this.rounds = rounds;
    }

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        var measuring = new Batches(disk, rounds);
        try (var calls = Bench.inMemory(new BenchTools())) {
            measuring.belay("Belay in memory", calls);
        }
        try (var calls = Bench.onSqlite(disk.folder("batch"), new BenchTools())) {
            measuring.belay("Belay on SQLite", calls);
        }
        measuring.peers();
        return measuring.lines;
    }

    private void belay(String who, DurableCalls calls) throws Exception {
        List<CallRequest> batch = Bench.calls("nap", CALLS);
        line(who, CALLS, true, () -> Bench.run(calls, "batch-" + batches++, batch));
    }

    private void peers() throws Exception {
        line("LangChain4j 1.19.0, concurrently", CALLS, false, PeerBatches.langChain4j(CALLS));
        line("Spring AI 2.0.1, " + CALLS_IN_TURN + " one after another, scaled", CALLS_IN_TURN, false,
                PeerBatches.springAi(CALLS_IN_TURN));
    }

    private void line(String who, int count, boolean demanded, PeerBatches.Batch batch) throws Exception {
        String what = "batch of 1,000 calls of 50 ms, ms: " + who;
        for (int i = 0; i < (count == CALLS ? WARM_UPS : 1); i++) {
            batch.run();
        }
        double scale = (double) CALLS / count;
        Callable<Ran> timed = () -> timed(batch, scale);
        var taken = disk.take(what, rounds, timed);
        Spread times = Spread.of(taken, one -> one.value().timesLeast());
        lines.add(new Line(what, Spread.of(taken, one -> one.value().wall()).text(0),
                times.text(2) + " × (50 ms + " + String.format(Locale.ROOT, "%.0f",
                        Spread.of(taken, one -> one.value().processor()).median()) + " ms CPU)",
                Spread.of(taken, Disk.Taken::fsyncs).text(0), demanded ? "≤ " + BAR + " ×" : "",
                times.median() <= BAR));
    }

    private static Ran timed(PeerBatches.Batch batch, double scale) throws Exception {
        long processor = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        batch.run();
        double wall = (System.nanoTime() - start) / 1e6;
        double used = (SYSTEM.getProcessCpuTime() - processor) / 1e6;
        return new Ran(wall * scale, used * scale / Runtime.getRuntime().availableProcessors());
    }
}
