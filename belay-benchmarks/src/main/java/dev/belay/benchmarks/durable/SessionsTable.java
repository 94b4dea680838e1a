package dev.belay.benchmarks.durable;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints the cost of sessions: a turn beside the peers, a thousand sessions beside the disk, and the heap of an idle one. Only ratios within a round are meaningful.
 */
public final class SessionsTable {

    private static final int ROUNDS = 5;

    private SessionsTable() {}

    /** Takes the number of rounds (5) and the directory to write in ({@code target} below the current one). */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        double loadBefore = load();
        List<Line> lines = new ArrayList<>(Turns.measure(rounds));
        try (Disk disk = Disk.in(Path.of(args.length < 2 ? "target" : args[1]))) {
            lines.addAll(ManySessions.measure(disk, rounds));
        }
        lines.addAll(IdleSessions.measure());
        print(lines, rounds, loadBefore);
    }

    static void print(List<Line> lines, int rounds, double loadBefore) {
        System.out.printf(Locale.ROOT,
                "%n%s %s, %d cores, %d rounds, median (least..most); load average %.1f before and %.1f after.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(), rounds, loadBefore, load());
        System.out.println(Line.head());
        lines.forEach(line -> System.out.println(line.text()));
    }

    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
