package dev.belay.tests.store;

import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A PostgreSQL server for one test, or the one that {@code BELAY_TEST_POSTGRES} names. Confined to one thread. */
public final class TestServer implements Closeable {

    /** What connections of stores that {@link #newSchema} names call themselves. */
    public static final String APPLICATION = "belay-node";

    /** The embedded server has these off; a store refuses that. */
    private static final List<String> SYNCED = List.of("fsync", "synchronous_commit", "full_page_writes");
    /** Short, so that a take-over does not take long. */
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** A killed server loses nothing here; only a machine that loses its power does. */
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);
    private static final Pattern SCHEMA = Pattern.compile("[?&]currentSchema=([^&]+)");

    private final String url;
    private final @Nullable Path files;
    private @Nullable EmbeddedPostgres process;

    private TestServer(String url, @Nullable Path files, @Nullable EmbeddedPostgres process) {
        this.url = url;
        this.files = files;
        this.process = process;
    }

    /** Starts one; skips the test and prints why where none can start. */
    public static TestServer start() {
        String outside = System.getenv("BELAY_TEST_POSTGRES");
        boolean isRequired = "required".equals(outside);
        if (outside != null && !outside.isBlank() && !isRequired) {
            return new TestServer(outside, null, null);
        }
        try {
            Path files = Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > ROOM
                    ? Files.createTempDirectory(MEMORY, "belay-postgres")
                    : Files.createTempDirectory("belay-postgres");
            EmbeddedPostgres process = start(files, 0);
            return new TestServer("jdbc:postgresql://localhost:" + process.getPort()
                    + "/postgres?user=postgres", files, process);
        } catch (IOException | RuntimeException | LinkageError e) {
            if (isRequired) {
                throw new IllegalStateException(
                        "BELAY_TEST_POSTGRES=required, and no PostgreSQL server can start here", e);
            }
            System.out.println(
                    "A test on PostgreSQL is skipped: no server can start here (" + e + ", " + e.getCause()
                            + ")");
            Assumptions.abort("no PostgreSQL server can start here; the reason was printed");
            throw new IllegalStateException(e);
        }
    }

    private static EmbeddedPostgres start(Path files, int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(files.resolve("data"))
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofMinutes(1));
        if (port != 0) {
            builder.setPort(port);
        }
        SYNCED.forEach(setting -> builder.setServerConfig(setting, "on"));
        return builder.start();
    }

    /** Of a database, with the user. */
    public String url() {
        return url;
    }

    /** Whether this test has started the server, and may stop it. */
    public boolean isOwn() {
        return process != null;
    }

    /** An address of a schema that no other test uses, for {@link #open}. */
    public String newSchema() {
        return url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + APPLICATION
                + "&currentSchema=test_"
                + ProcessHandle.current().pid() + "_" + System.nanoTime();
    }

    /** Stops the server and starts it on the same files and port. */
    public void restart() throws IOException {
        EmbeddedPostgres running = process;
        if (running == null || files == null) {
            throw new IllegalStateException("this server was started by another program");
        }
        running.close();
        process = start(files, running.getPort());
    }

    /** Kills a backend, so that the server ends all others and recovers from its log; waits until it answers again. */
    public void crash() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            ProcessHandle.of(row.getLong(1)).orElseThrow().destroyForcibly();
        }
        while (true) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("select 1");
                return;
            } catch (SQLException e) {
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    /** Opens a connection each time. */
    public static DataSource source(String url) {
        return (DataSource) Proxy.newProxyInstance(TestServer.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> DriverManager.getConnection(url));
    }

    /** Opens a store as a node that waits briefly for others, in the schema that the address names. */
    public static Store open(String url) {
        Matcher schema = SCHEMA.matcher(url);
        PostgresOptions options = PostgresOptions.STANDARD.withLease(LEASE);
        return JdbcStore.postgres(source(url), schema.find() ? options.withSchema(schema.group(1)) : options);
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            process.close();
        }
        if (files != null) {
            try (Stream<Path> all = Files.walk(files)) {
                all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
        }
    }
}
