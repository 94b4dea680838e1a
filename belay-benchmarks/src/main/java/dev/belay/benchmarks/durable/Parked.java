package dev.belay.benchmarks.durable;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The cost of parked calls at the start of a process: each is alone in its batch, and all are in one file. */
final class Parked {

    private static final int CALLS = 100_000;
    private static final int SUBMITTERS = 256;
    private static final double RESTART_BAR = 3_000;
    private static final double HEAP_BAR = 16;

    /**
     * One process after its start.
     *
     * @param millis since its main method began, until it had run a new call
     * @param heap MiB in use after a collection
     * @param virtualThreads virtual threads
     * @param threads other threads
     */
    private record Started(double millis, double heap, int virtualThreads, int threads) {

        static Started in(Path folder) throws Exception {
            try (var child = new Child("restart", folder)) {
                String[] words = child.line().split(" ", -1);
                return new Started(Double.parseDouble(words[0]), Long.parseLong(words[1]) / 1048576.0,
                        Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            }
        }
    }

    private record Pair(Started empty, Started full) {}

    private Parked() {}

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        Path full = disk.folder("parked");
        Path empty = disk.folder("empty");
        double setUp = park(full);
        var taken = disk.take("restart with parked calls", rounds,
                () -> new Pair(Started.in(empty), Started.in(full)));
        String fsyncs = Spread.of(taken, Disk.Taken::fsyncs).text(0);
        Spread millis = Spread.of(taken, one -> one.value().full().millis());
        Spread more = Spread.of(taken, one -> one.value().full().heap() - one.value().empty().heap());
        Spread threads = Spread.of(taken,
                one -> one.value().full().threads() - one.value().empty().threads());
        Spread virtual = Spread.of(taken, one -> one.value().full().virtualThreads());
        return List.of(
                new Line("100,000 parked calls: restart until a new call has run, ms", millis.text(0),
                        "empty journal: " + Spread.of(taken, one -> one.value().empty().millis()).text(0),
                        fsyncs,
                        "< 3 s", millis.median() < RESTART_BAR),
                new Line("100,000 parked calls: heap more than with an empty journal, MiB", more.text(2),
                        "empty journal: " + Spread.of(taken, one -> one.value().empty().heap()).text(2),
                        fsyncs,
                        "≤ 16 MiB", more.median() <= HEAP_BAR),
                new Line("100,000 parked calls: threads more than with an empty journal", threads.text(0),
                        virtual.text(0) + " virtual threads", fsyncs, "≤ 0",
                        threads.median() <= 0 && virtual.median() <= 0),
                Line.of("100,000 parked calls: written in, s", String.format(Locale.ROOT, "%.0f", setUp),
                        "three writes for each", fsyncs));
    }

    /** Makes the parked calls; returns the seconds that it took. */
    private static double park(Path folder) throws Exception {
        System.err.println("parking calls");
        long start = System.nanoTime();
        List<CallRequest> batch = Bench.calls("ask", 1);
        var number = new AtomicInteger();
        try (DurableCalls calls = Bench.onSqlite(folder, new BenchTools(), Bench.PARK_AT_ONCE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> submitters = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                submitters.add(threads.submit(() -> {
                    for (int n = number.getAndIncrement(); n < CALLS; n = number.getAndIncrement()) {
                        calls.submit("parked-" + n, batch);
                    }
                }));
            }
            for (Future<?> submitter : submitters) {
                submitter.get();
            }
            awaitParked(folder);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static void awaitParked(Path folder) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + Bench.file(folder));
                var count = connection
                        .prepareStatement("select count(*) from scope where status = 'PARKED'")) {
            Bench.await("all calls to park", () -> {
                try (var rows = count.executeQuery()) {
                    return rows.getInt(1) == CALLS;
                }
            });
        }
    }
}
