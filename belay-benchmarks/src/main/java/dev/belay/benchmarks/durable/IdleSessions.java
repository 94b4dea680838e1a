package dev.belay.benchmarks.durable;

import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The heap that idle sessions use. */
final class IdleSessions {

    private static final int FEW = 900;
    private static final int MANY = 10_000;

    private IdleSessions() {}

    static List<Line> measure() throws Exception {
        Path folder = Files.createTempDirectory("idle");
        try (Belay belay = Talk.belay(JdbcStore.sqlite(folder.resolve("belay.db")))) {
            talk(belay, 0, 100);
            long before = used();
            talk(belay, 100, FEW);
            double kept = (used() - before) / (double) (FEW - 100);
            talk(belay, FEW, MANY);
            double all = (used() - before) / 1024.0 / 1024;
            return List.of(Line.of("an idle session of one turn, KiB of heap while it is remembered",
                    String.format(Locale.ROOT, "%.1f", kept / 1024), "", ""),
                    Line.of("10,000 idle sessions, MiB of heap in all",
                            String.format(Locale.ROOT, "%.1f", all),
                            "as many are remembered as fit into an eighth of the heap", ""));
        } finally {
            Disk.delete(folder);
        }
    }

    private static void talk(Belay belay, int from, int to) throws InterruptedException {
        for (int i = from; i < to; i++) {
            Talk.turn(belay, "idle" + i);
        }
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
