package dev.belay.tests.store;

import dev.belay.runtime.store.SessionStore;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server for one test, or the one that {@code BELAY_TEST_POSTGRES} names. The embedded server is started by its name.
 *
 * @param url of a database, with the user
 * @param process the embedded server, or null
 */
public record TestServer(String url, @Nullable Closeable process) implements Closeable {

    /** The embedded server has these off; a store refuses that. */
    private static final List<String> SYNCED = List.of("fsync", "synchronous_commit", "full_page_writes");
    /** Short, so that a take-over does not take long. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Starts one; skips the test and prints why where none can start. */
    public static TestServer start() {
        String outside = System.getenv("BELAY_TEST_POSTGRES");
        if (outside != null && !outside.isBlank()) {
            return new TestServer(outside, null);
        }
        try {
            Class<?> embedded = Class.forName("io.zonky.test.db.postgres.embedded.EmbeddedPostgres");
            Object builder = embedded.getMethod("builder").invoke(null);
            for (String setting : SYNCED) {
                builder.getClass()
                        .getMethod("setServerConfig", String.class, String.class)
                        .invoke(builder, setting, "on");
            }
            Object server = builder.getClass().getMethod("start").invoke(builder);
            return new TestServer(
                    "jdbc:postgresql://localhost:" + embedded.getMethod("getPort").invoke(server)
                            + "/postgres?user=postgres",
                    (Closeable) server);
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.out.println(
                    "A test on PostgreSQL is skipped: no server can start here (" + e + ", " + e.getCause()
                            + ")");
            Assumptions.abort("no PostgreSQL server can start here; the reason was printed");
            throw new IllegalStateException(e);
        }
    }

    /** Opens a connection each time. */
    public static DataSource source(String url) {
        return (DataSource) Proxy.newProxyInstance(TestServer.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> DriverManager.getConnection(url));
    }

    /** Opens a store as a node that waits briefly for others. */
    public static SessionStore open(String url) {
        return JdbcStore.postgres(source(url), PostgresOptions.STANDARD.withLease(LEASE));
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            process.close();
        }
    }
}
