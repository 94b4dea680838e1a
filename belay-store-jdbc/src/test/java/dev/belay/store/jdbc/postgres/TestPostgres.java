package dev.belay.store.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.belay.runtime.store.rows.Tables;
import dev.belay.store.jdbc.PostgresOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * One PostgreSQL server for all tests of a JVM, with full synchronisation, and a schema of its own for each test. The environment
 * variable {@code BELAY_TEST_POSTGRES} names another server ({@code jdbc:postgresql:...}, with user and password). Where no server can
 * start, tests are skipped and the reason is printed.
 */
public final class TestPostgres {

    /** Short, so that tests of take-over do not wait long. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    /**
     * Where files are kept in memory. The server syncs as on a disk, and a killed server loses nothing there; only a machine that loses
     * its power does, which no test does.
     */
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    private static final String OUTSIDE = "BELAY_TEST_POSTGRES";
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    /** Tests do not go back to a place after asking for so many others. */
    private static final int FRESH = 8;
    private static final Map<String, Deque<Place>> USED = new ConcurrentHashMap<>();
    private static final Map<String, DataSource> DATABASES = new ConcurrentHashMap<>();

    /** Started when it is first asked for: a child process uses the server of its parent. */
    private static final class Server {

        private static final @Nullable String URL = start();

        private Server() {}
    }

    /** What a test waits for comes much sooner, or never. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private TestPostgres() {}

    /** Something that becomes true. */
    public interface Question {
        boolean ask() throws Exception;
    }

    /** Asks until it is true; fails after a while. */
    public static void until(String what, Question question) throws Exception {
        until(what, PATIENCE, question);
    }

    /** Asks until it is true; fails after so much time. */
    static void until(String what, Duration patience, Question question) throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        while (!question.ask()) {
            if (end - System.nanoTime() < 0) {
                throw new AssertionError("waited " + patience + " for " + what);
            }
            Thread.onSpinWait();
        }
    }

    /**
     * A place for a store.
     *
     * @param source gives connections
     * @param options name a schema that does not exist yet
     */
    public record Place(DataSource source, PostgresOptions options) {}

    private static @Nullable String start() {
        String outside = System.getenv(OUTSIDE);
        boolean isRequired = "required".equals(outside);
        if (outside != null && !outside.isBlank() && !isRequired) {
            return outside;
        }
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
            if (Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > ROOM) {
                builder.setDataDirectory(MEMORY.resolve("belay-postgres-" + ProcessHandle.current().pid()));
            }
            EmbeddedPostgres server = builder
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", "500")
                    .setServerConfig("shared_buffers", "64MB")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    server.close();
                } catch (IOException e) {
                    System.err.println("the PostgreSQL of the tests was not stopped: " + e);
                }
            }));
            return server.getJdbcUrl("postgres", "postgres");
        } catch (IOException | RuntimeException | LinkageError e) {
            if (isRequired) {
                throw new IllegalStateException(
                        OUTSIDE + "=required, and no PostgreSQL server can start here", e);
            }
            System.out.println("Tests on PostgreSQL are skipped: no server can start here (" + e
                    + "). Set " + OUTSIDE + "=jdbc:postgresql://... to use another server");
            return null;
        }
    }

    /** Its address; skips the test if there is none. */
    public static String url() {
        Assumptions.assumeTrue(Server.URL != null,
                "no PostgreSQL server can start here; the reason was printed");
        return Objects.requireNonNull(Server.URL);
    }

    /** A new schema. */
    public static Place place() {
        return place(url());
    }

    /** A new schema in a database whose own order of texts is a language's. */
    public static Place icuPlace() {
        String url = url();
        String name = "belay_icu";
        String icu = url.replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1");
        DataSource server = source(url); // not inside of the next line: it looks into the same map
        DATABASES.computeIfAbsent(icu, key -> {
            try (Connection connection = server.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("drop database if exists " + name);
                statement.execute("create database " + name + " template template0 encoding 'UTF8'"
                        + " locale_provider icu icu_locale 'en-US' locale 'C'");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return pool(icu);
        });
        return place(icu);
    }

    /** A schema that was used some tests ago and has no owner is emptied and used again: making one takes half a second. */
    private static Place place(String url) {
        Deque<Place> places = USED.computeIfAbsent(url, key -> new ArrayDeque<>());
        synchronized (places) {
            Place next = places.size() < FRESH || !emptied(places.getFirst())
                    ? new Place(source(url), PostgresOptions.STANDARD.withSchema(
                            "Test \"" + ProcessHandle.current().pid() + "\" " + SCHEMAS.incrementAndGet())
                            .withLease(LEASE))
                    : places.removeFirst();
            places.addLast(next);
            return next;
        }
    }

    private static boolean emptied(Place place) {
        var sql = new PostgresSql(place.options.schema());
        try (Connection connection = place.source.getConnection();
                Statement statement = connection.createStatement()) {
            if (statement.executeQuery("select 1 from " + sql.name("lease") + " where not dead").next()) {
                return false;
            }
            var all = new StringBuilder("begin; delete from " + sql.name("lease")
                    + "; delete from " + sql.name("writer"));
            Tables.ALL.forEach(table -> all.append("; delete from ").append(sql.name(table.name())));
            statement.execute(all + "; commit");
            return true;
        } catch (SQLException e) {
            return false; // it was never opened
        }
    }

    /** A pool of connections to a database. */
    public static DataSource source(String url) {
        DataSource known = DATABASES.get(url);
        return known != null ? known : DATABASES.computeIfAbsent(url, TestPostgres::pool);
    }

    private static DataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(300);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }
}
