package dev.belay.store.jdbc;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.store.jdbc.postgres.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** What other processes do in tests. Each prints a line when it has come somewhere, and waits for one before it goes on. */
final class ChildMain {

    private static final int DIED = 9;

    private ChildMain() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1].startsWith("jdbc:") ? "" : arguments[1]);
        switch (arguments[0]) {
            case "hold" -> hold(file, Integer.parseInt(arguments[2]));
            case "write" -> write(file, arguments[2], Integer.parseInt(arguments[3]));
            case "die" -> die(file, Integer.parseInt(arguments[2]));
            case "fill" -> fill(file);
            case "node" -> node(arguments[1], arguments[2], Integer.parseInt(arguments[3]));
            case "stop" -> stop(arguments[1], arguments[2], Moment.valueOf(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Waits for a line; if there is no parent any more, ends. */
    private static void pause() throws IOException {
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(DIED);
        }
    }

    /** Owns scopes and a resource until it is killed. */
    private static void hold(Path file, int scopes) throws IOException {
        try (var journal = new StoreDriver(JdbcStore.sqlite(file))) {
            for (int i = 0; i < scopes; i++) {
                Claim claim = Sample.submitted(journal, "held-" + i);
                journal.take(claim, "account:" + i, "call/0", Sample.NOW);
            }
            say(journal.owner());
            pause();
        }
    }

    /** A node on PostgreSQL that owns scopes and a resource each until it is killed. */
    private static void node(String url, String schema, int scopes) throws IOException {
        var options = PostgresOptions.STANDARD.withSchema(schema).withLease(TestPostgres.LEASE);
        try (var store = new StoreDriver(JdbcStore.postgres(TestPostgres.source(url), options))) {
            var journal = store;
            for (int i = 0; i < scopes; i++) {
                Claim claim = Sample.submitted(journal, "held-" + i);
                journal.take(claim, "account:" + i, "call/0", Sample.NOW);
                Sample.write(journal, claim, 0);
            }
            say(journal.owner());
            pause();
        }
    }

    /** A node that is stopped in a write, as by SIGSTOP, and when it goes on says how the write ended and whether it has a new name. */
    private static void stop(String url, String schema, Moment moment) {
        var armed = new AtomicBoolean();
        var options = PostgresOptions.STANDARD.withSchema(schema)
                .withLease(TestPostgres.LEASE)
                .withProbe((at, write) -> {
                    if (at == moment && armed.compareAndSet(true, false)) {
                        try {
                            new ProcessBuilder("kill", "-STOP", Long.toString(ProcessHandle.current().pid()))
                                    .start()
                                    .onExit()
                                    .join();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                });
        try (var store = new StoreDriver(JdbcStore.postgres(TestPostgres.source(url), options))) {
            var journal = store;
            Claim claim = Sample.submitted(journal, "held");
            String before = journal.owner();
            say(before);
            armed.set(true);
            say(journal.write(claim, Sample.completed(0)).refusal() + " "
                    + (journal.owner().equals(before) ? "same" : "new"));
        }
    }

    private static void write(Path file, String scope, int records) throws IOException {
        say("started");
        pause();
        try (var journal = new StoreDriver(JdbcStore.sqlite(file))) {
            Claim claim = Sample.submitted(journal, scope);
            for (int i = 0; i < records; i++) {
                Sample.write(journal, claim, i);
            }
            journal.end(claim, Json.TRUE, Sample.NOW);
        }
        say("done");
    }

    /** Writes records and dies after the last commit, before the caller of it was told. */
    private static void die(Path file, int records) throws IOException {
        var last = new AtomicBoolean();
        var journal = new StoreDriver(
                JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe((moment, write) -> {
                    if (last.get() && moment == Moment.AFTER) {
                        Runtime.getRuntime().halt(DIED);
                    }
                })));
        Claim claim = Sample.submitted(journal, "s");
        for (int i = 0; i < records; i++) {
            Sample.write(journal, claim, i);
        }
        say(Long.toString(Files.size(file.resolveSibling(file.getFileName() + "-wal"))));
        last.set(true);
        journal.write(claim, Sample.completed(records));
    }

    /** Writes until the file may not grow any more. */
    private static void fill(Path file) {
        int written = 0;
        try (var journal = new StoreDriver(JdbcStore.sqlite(file))) {
            Claim claim = Sample.submitted(journal, "s");
            try {
                while (written < 10_000) {
                    journal.write(claim, Sample.completed(written, Json.string("x".repeat(8_000))));
                    written++;
                }
            } catch (JournalException e) {
                say(Integer.toString(written));
                say("retryable: " + e.retryable());
            }
        }
    }
}
