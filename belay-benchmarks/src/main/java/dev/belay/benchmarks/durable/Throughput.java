package dev.belay.benchmarks.durable;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls a second on SQLite with full synchronisation, as a multiple of the disk's sequential forced writes. */
final class Throughput {

    private static final int SCOPES = 64;
    private static final int CALLS = 1_000;
    private static final int CALLS_EACH = 200;
    /** Warm-up in memory, where a batch takes a few milliseconds: after so many batches the speed is stable. */
    private static final int WARM_UPS_IN_MEMORY = 40;
    /** Warm-up on SQLite, for the code that only it uses. */
    private static final int WARM_UPS = 5;
    private static final int MANY_WARM_UPS = 2;
    private static final double ONE_BAR = 0.6;
    private static final double NO_BAR = 0;
    private static final double MANY_BAR = 4.75;
    private static final double BARE_BAR = 0.85;

    private final DurableCalls calls;
    private int batches;

    private Throughput(DurableCalls calls) {
        this.calls = calls;
    }

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        warmUp();
        try (var calls = Bench.onSqlite(disk.folder("throughput"), new BenchTools())) {
            var throughput = new Throughput(calls);
            return List.of(
                    throughput.line(disk, rounds, "one scope, `READ` calls one after another, calls/s",
                            ONE_BAR, WARM_UPS, () -> throughput.one("look_in_turn")),
                    throughput.line(disk, rounds, "the same with `IDEMPOTENT` calls, calls/s", NO_BAR,
                            WARM_UPS,
                            () -> throughput.one("put_in_turn")),
                    throughput.besideBareSqlite(disk, rounds, "one after another", "put_in_turn"),
                    throughput.besideBareSqlite(disk, rounds, "side by side", "put"),
                    throughput.line(disk, rounds, SCOPES + " scopes at once, `READ` calls, calls/s", MANY_BAR,
                            MANY_WARM_UPS, throughput::many));
        }
    }

    /** Runs some ten thousand calls without a disk, until the code of a call is compiled. */
    private static void warmUp() throws Exception {
        System.err.println("calls in memory, to warm up");
        try (var calls = Bench.inMemory(new BenchTools())) {
            var throughput = new Throughput(calls);
            for (int i = 0; i < WARM_UPS_IN_MEMORY; i++) {
                throughput.one("look_in_turn");
            }
            throughput.many();
        }
    }

    private Line line(Disk disk, int rounds, String what, double bar, int warmUps, Callable<Double> rate)
            throws Exception {
        for (int i = 0; i < warmUps; i++) {
            rate.call();
        }
        var taken = disk.take(what, rounds, rate);
        Spread ratio = Spread.of(taken, one -> one.value() / one.fsyncs());
        return new Line(what, Spread.of(taken, Disk.Taken::value).text(0), ratio.text(2) + " × fsync",
                Spread.of(taken, Disk.Taken::fsyncs).text(0),
                bar == NO_BAR ? "" : String.format(Locale.ROOT, "≥ %.2f ×", bar),
                ratio.median() >= bar);
    }

    /** Calls of one scope, and in the same round commits of one insert each, by SQLite alone on one thread. */
    private Line besideBareSqlite(Disk disk, int rounds, String how, String tool) throws Exception {
        record Pair(double calls, double inserts) {}
        String what = "one scope, `IDEMPOTENT` calls " + how + ", beside bare SQLite, calls/s";
        try (var bare = new BareInserts(disk.folder("bare").resolve("bare.db"))) {
            var taken = disk.take(what, rounds, () -> new Pair(one(tool), bare.rate(CALLS)));
            Spread ratio = Spread.of(taken, pair -> pair.value().calls() / pair.value().inserts());
            return new Line(what, Spread.of(taken, pair -> pair.value().calls()).text(0),
                    ratio.text(2) + " × " + Spread.of(taken, pair -> pair.value().inserts()).text(0)
                            + " one-insert commits",
                    Spread.of(taken, Disk.Taken::fsyncs).text(0), "≥ " + BARE_BAR + " ×",
                    ratio.median() >= BARE_BAR);
        }
    }

    private double one(String tool) throws InterruptedException {
        List<CallRequest> batch = Bench.calls(tool, CALLS);
        long start = System.nanoTime();
        Bench.run(calls, "batch-" + batches++, batch);
        return CALLS / seconds(start);
    }

    private double many() throws Exception {
        List<CallRequest> batch = Bench.calls("look_in_turn", CALLS_EACH);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SCOPES; i++) {
                String name = "batch-" + batches++;
                running.add(threads.submit(() -> {
                    Bench.run(calls, name, batch);
                    return name;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            return SCOPES * CALLS_EACH / seconds(start);
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
