package dev.belay.benchmarks.durable;

import dev.belay.store.jdbc.PostgresOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A PostgreSQL server with full synchronisation, with its files on the disk that is measured. */
final class PostgresServer implements AutoCloseable {

    private final EmbeddedPostgres process;
    private int schemas;

    PostgresServer(Path folder) throws IOException {
        process = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "256MB")
                .setServerConfig("max_wal_size", "2GB")
                .setPGStartupWait(Duration.ofMinutes(1))
                .start();
    }

    int port() {
        return process.getPort();
    }

    /** Opens a connection to the server, or to a proxy before it, each time. */
    static DataSource source(int port) {
        return (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (self, method, values) -> DriverManager
                        .getConnection("jdbc:postgresql://localhost:" + port + "/postgres?user=postgres"));
    }

    /** A schema that was not used before. */
    PostgresOptions schema() {
        return PostgresOptions.STANDARD.withSchema("bench_" + schemas++);
    }

    /** Counts the statements that the thread of the writer sends: each is a round trip, however many parts it has. */
    static DataSource counting(DataSource source, AtomicInteger trips) {
        return (DataSource) watched(DataSource.class, source, () -> {}, trips);
    }

    private static Object watched(Class<?> type, Object target, Runnable before, AtomicInteger trips) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (self, method, values) -> {
            if (method.getName().equals("prepareStatement")) {
                before.run();
            }
            try {
                Object made = method.invoke(target, values);
                return made instanceof Connection ? watched(Connection.class, made, () -> {
                    if (Thread.currentThread().getName().equals("belay-writer")) {
                        trips.incrementAndGet();
                    }
                }, trips) : made;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** Asks for one number. */
    long ask(String sql) throws SQLException {
        try (Connection connection = source(port()).getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    void run(String sql) throws SQLException {
        try (Connection connection = source(port()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
