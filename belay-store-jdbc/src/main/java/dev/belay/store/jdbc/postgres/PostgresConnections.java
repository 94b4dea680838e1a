package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.commit.PendingAnswer;
import dev.belay.store.jdbc.file.ReaderPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the connections of a node from a data source. Thread-safe.
 *
 * @param source where they come from
 */
record PostgresConnections(DataSource source) implements ReaderPool.Source<Connection> {

    /** The writer, two readers, the lease, the listener. */
    private static final int NEEDED = 5;
    private static final Duration NETWORK_TIMEOUT = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(PostgresRows.class);

    /** Opens something. */
    interface Opening<T> {
        T open() throws SQLException;
    }

    /** An interrupt of a virtual thread would close its sockets. */
    <T> T onPlatformThread(Opening<T> opening) {
        var opened = new PendingAnswer<T>();
        Thread.ofPlatform().name("belay-open").daemon().start(() -> {
            try {
                opened.give(again(() -> {
                    try {
                        return opening.open();
                    } catch (SQLException e) {
                        throw PostgresFailure.of(e);
                    }
                }));
            } catch (RuntimeException | Error e) {
                opened.fail(e);
            }
        });
        return opened.await();
    }

    /** Repeats what left nothing behind and found a broken connection: after a restart of the server each idle one is broken. */
    <T extends @Nullable Object> T again(Supplier<T> work) {
        for (int left = NEEDED;; left--) {
            try {
                return work.get();
            } catch (JournalException e) {
                if (left == 0 || !(e.getCause() instanceof SQLException broken)
                        || !PostgresFailure.hasBroken(broken)) {
                    throw e;
                }
                LOG.debug("a connection was broken; taking another one", e);
            }
        }
    }

    /** A pool that is too small would let a commit wait for a reader for ever. */
    void requireEnough() {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < NEEDED; i++) {
                all.add(reader());
            }
        } catch (SQLException e) {
            throw PostgresSchema
                    .unusable(
                            "the data source gave " + all.size() + " connections, and a store needs " + NEEDED
                                    + " (a writer, two readers, a lease, a listener): " + e.getMessage()
                                    + ". Let the pool and the server have that many for each node",
                            e);
        } finally {
            all.forEach(this::close);
        }
    }

    /** A pool may hand out a connection that has just broken; it gets it back and gives another one. */
    @Override
    public Connection reader() throws SQLException {
        for (int left = NEEDED;; left--) {
            Connection connection = source.getConnection();
            try {
                connection.setAutoCommit(true);
                connection.setNetworkTimeout(Runnable::run, (int) NETWORK_TIMEOUT.toMillis());
                return connection;
            } catch (SQLException e) {
                close(connection);
                if (left == 0) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("a connection could not be closed", e);
            }
        }
    }

    /** Ends a connection that may be in a transaction or broken, so that no pool hands it out again. */
    static void discard(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("a connection could not be ended", e);
            }
        }
    }

    @Override
    public RuntimeException failure(Throwable thrown) {
        return PostgresFailure.of(thrown);
    }
}
