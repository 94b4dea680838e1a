package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.text;

import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Runtimes and clients on one store: memory, or a SQLite file. */
public final class OperatorBench implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SharedMemory memory = new SharedMemory();
    private final boolean inMemory;
    private final Path file;
    private final Deque<BelayClient> opened = new ArrayDeque<>();
    /** Keys that bodies have handed out. */
    final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();

    public OperatorBench(String where, Path folder) {
        inMemory = where.equals("memory");
        file = folder.resolve("belay.db");
    }

    public Belay worker(Model model, UnaryOperator<BelayBuilder> with) {
        Belay belay = with.apply(Belay.builder()
                .model(model)
                .parkAfter(Duration.ZERO)
                .store(inMemory ? memory.open() : JdbcStore.sqlite(file))).build();
        opened.push(belay);
        return belay;
    }

    /** A runtime that tells a probe of its writes; an exception of the probe is its death. */
    public Belay dying(Model model, JournalProbe probe, UnaryOperator<BelayBuilder> with) {
        Belay belay = with.apply(Belay.builder()
                .model(model)
                .store(inMemory
                        ? memory.open(probe)
                        : JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe))))
                .build();
        opened.push(belay);
        return belay;
    }

    /** A worker in which every turn gets stuck: its model cannot even say its name. */
    public Belay sticking() {
        return worker(new Model() {
            @Override
            public String id() {
                throw new IllegalStateException("no name");
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                throw new AssertionError("a turn has asked");
            }
        }, builder -> builder);
    }

    /** A runtime whose sessions are answered at once. */
    public Belay worker() {
        return worker(SessionBench.model(request -> text("done")), builder -> builder);
    }

    /** The store itself, for what no program asks for. Closed by the caller. */
    public Store store() {
        return inMemory ? memory.open() : JdbcStore.sqlite(file);
    }

    public BelayClient client() {
        return client(JournalProbe.NONE);
    }

    /** A client that tells a probe of its writes; an exception of the probe is its death. */
    public BelayClient client(JournalProbe probe) {
        BelayClient client = Belay.client(inMemory
                ? memory.existing(probe)
                : JdbcStore.existing(file, SqliteOptions.STANDARD.withProbe(probe)));
        opened.push(client);
        return client;
    }

    String token() throws InterruptedException {
        String token = tokens.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (token == null) {
            throw new AssertionError("no key was handed out");
        }
        return token;
    }

    /** Waits until something is true of the store. */
    public static void until(BooleanSupplier is) {
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
