package dev.belay.benchmarks.durable;

import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thousand sessions at once on SQLite, each with one turn at a time. */
final class ManySessions {

    private static final int SESSIONS = 1_000;
    private static final int WARM_UPS = 15;

    private ManySessions() {}

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        try (Belay belay = Talk.belay(JdbcStore.sqlite(disk.folder("many").resolve("belay.db")))) {
            for (int i = 0; i < WARM_UPS; i++) {
                rate(belay);
            }
            var taken = disk.take("1,000 sessions at once, turns/s", rounds, () -> rate(belay));
            Spread ratio = Spread.of(taken, one -> one.value() / one.fsyncs());
            return List.of(Line.of("1,000 sessions at once on SQLite, turns/s (5 writes each)",
                    Spread.of(taken, Disk.Taken::value).text(0), ratio.text(2) + " × fsync",
                    Spread.of(taken, Disk.Taken::fsyncs).text(0)));
        }
    }

    private static double rate(Belay belay) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                String session = "s" + i;
                running.add(threads.submit(() -> {
                    Talk.turn(belay, session);
                    return session;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            return SESSIONS / ((System.nanoTime() - start) / 1e9);
        }
    }
}
