package dev.belay.tests.plugin;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Runtimes and clients on one store: memory, or a SQLite file. */
final class PluginStores implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SharedMemory memory = new SharedMemory();
    private final boolean inMemory;
    private final Path file;
    private final Deque<BelayClient> opened = new ArrayDeque<>();

    PluginStores(String where, Path folder) {
        inMemory = where.equals("memory");
        file = folder.resolve("belay.db");
    }

    Belay open(Model model, UnaryOperator<BelayBuilder> with) {
        return open(model, JournalProbe.NONE, with);
    }

    /** One that tells a probe of its writes; an error of the probe is its death. */
    Belay open(Model model, JournalProbe probe, UnaryOperator<BelayBuilder> with) {
        Belay belay = with.apply(Belay.builder()
                .model(model)
                .parkAfter(Duration.ZERO)
                .drain(Duration.ZERO)
                .store(inMemory
                        ? memory.open(probe)
                        : JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe))))
                .build();
        opened.push(belay);
        return belay;
    }

    /** What is stored, to be read. */
    Store store() {
        return inMemory ? memory.existing() : JdbcStore.existing(file);
    }

    BelayClient client() {
        BelayClient client = Belay.client(store());
        opened.push(client);
        return client;
    }

    /** Waits until something is true of the store. */
    static void until(BooleanSupplier is) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!is.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("it did not become true");
            }
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    @Override
    public void close() {
        opened.forEach(BelayClient::close);
    }
}
