package dev.belay.benchmarks.durable;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints the cost of durability. Every figure is shown beside the speed of the disk at that time: the machine may be busy, so only
 * ratios within a round are meaningful. The table shows the median of the rounds, with the least and the most.
 */
public final class DurableTable {

    private static final int ROUNDS = 5;

    /** One part of the table. */
    private interface Part {
        List<Line> measure(Disk disk, int rounds) throws Exception;
    }

    private DurableTable() {}

    /** Takes the number of rounds (5) and the directory to write in ({@code target} below the current one). */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        long start = System.nanoTime();
        double loadBefore = load();
        List<Line> lines = new ArrayList<>();
        try (Disk disk = Disk.in(Path.of(args.length < 2 ? "target" : args[1]))) {
            lines.addAll(CommitCounts.count(disk));
            for (Part part : List.<Part>of(Throughput::measure, Batches::measure, Replay::measure,
                    Killed::measure,
                    Parked::measure)) {
                lines.addAll(part.measure(disk, rounds));
            }
        }
        System.out.printf(Locale.ROOT,
                "%n%s %s, %d cores, %d rounds, median (least..most); load average %.1f before and %.1f after, %d s in all.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(), rounds, loadBefore, load(),
                (System.nanoTime() - start) / 1_000_000_000);
        System.out.println(Line.head());
        lines.forEach(line -> System.out.println(line.text()));
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
