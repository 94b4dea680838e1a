package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.effect.JournalException;
import dev.belay.store.jdbc.file.ReaderPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other nodes that something was committed, and hears it of them, by {@code NOTIFY} and {@code LISTEN}. News may be lost; the
 * nodes also look by themselves. Thread-safe.
 *
 * <p>Concurrency: one thread sends, on a connection that reads, behind the commit and not in it: the server commits transactions with
 * notifications one after another. The first is sent at once, then at most 100 a second. One thread listens, on a connection of its own,
 * once there is something to call.
 *
 * <p>A pooler that changes connections loses notifications without a word. So each node sends one to itself from time to time; while
 * it does not come, the node counts as deaf.
 */
final class News implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(News.class);
    private static final Duration BETWEEN_SENDS = Duration.ofMillis(10);
    private static final Duration BETWEEN_TESTS = Duration.ofSeconds(10);
    /** Behind the time of the next test. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final PostgresConnections connections;
    private final ReaderPool<Connection> readers;
    private final String channel;
    private final Supplier<String> owner;
    private final Consumer<Duration> pause;
    private final Semaphore wanted = new Semaphore(0);
    private final AtomicReference<@Nullable Connection> listener = new AtomicReference<>();
    private volatile Runnable news = () -> {};
    private volatile long heard;
    private volatile boolean hears;
    private volatile boolean closed;
    private @Nullable Thread sending;
    private @Nullable Thread listening;

    /** Silent, and deaf. */
    News(PostgresConnections connections, ReaderPool<Connection> readers, String channel,
            Supplier<String> owner) {
        this(connections, readers, channel, owner, time -> LockSupport.parkNanos(time.toNanos()));
    }

    /**
     * Silent, and deaf.
     *
     * @param pause waits between two notifications
     */
    News(PostgresConnections connections, ReaderPool<Connection> readers, String channel,
            Supplier<String> owner, Consumer<Duration> pause) {
        this.connections = connections;
        this.readers = readers;
        this.channel = channel;
        this.owner = owner;
        this.pause = pause;
    }

    /** Calls this at each news from now on. */
    synchronized void listen(Runnable call) {
        news = call;
        if (listening == null && !closed) {
            listening = Thread.ofPlatform().name("belay-listener").daemon().start(this::hear);
        }
    }

    /** Whether what others send arrives here. */
    boolean isHeard() {
        return hears && System.nanoTime() - heard < BETWEEN_TESTS.plus(PATIENCE).toNanos();
    }

    /** Something happened here that is no news of another node. */
    void here() {
        news.run();
    }

    /** Tells the others. Returns at once. */
    void send() {
        wanted.release();
        startSending();
    }

    private synchronized void startSending() {
        if (sending == null && !closed) {
            sending = Thread.ofPlatform().name("belay-notifier").daemon().start(this::sendAll);
        }
    }

    private void sendAll() {
        while (!closed) {
            try {
                boolean asked = wanted.tryAcquire(BETWEEN_TESTS.toMillis(), TimeUnit.MILLISECONDS);
                wanted.drainPermits();
                if (asked || listener.get() != null) {
                    readers.read(this::tell);
                }
            } catch (JournalException e) {
                LOG.debug("others were not told of a commit; they find it by looking", e);
            } catch (InterruptedException e) {
                return;
            }
            pause.accept(BETWEEN_SENDS);
        }
    }

    /** Nothing is lost with it, so it does not wait for the disk. */
    private boolean tell(Connection connection) throws SQLException {
        new Pipeline().add("begin")
                .add("select set_config('synchronous_commit', 'off', true), pg_notify(?, ?)", channel,
                        owner.get())
                .add("commit")
                .run(connection);
        return true;
    }

    private void hear() {
        while (!closed) {
            try {
                hearUntilItBreaks();
            } catch (SQLException | RuntimeException e) {
                hears = false;
                connections.close(listener.getAndSet(null));
                if (!closed) {
                    LOG.debug("notifications are not heard; looking for writes of others instead", e);
                    LockSupport.parkNanos(AFTER_FAILURE.toNanos());
                }
            }
        }
        connections.close(listener.getAndSet(null));
    }

    private void hearUntilItBreaks() throws SQLException {
        Connection connection = connections.reader();
        listener.set(connection);
        new Pipeline().add("listen " + PostgresSql.quoted(channel)).run(connection);
        send(); // to itself: whether it comes is the test
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (!closed) {
            PGNotification[] some = postgres.getNotifications((int) BETWEEN_TESTS.toMillis());
            boolean others = false;
            for (PGNotification one : some == null ? new PGNotification[0] : some) {
                if (one.getParameter().equals(owner.get())) {
                    heard = System.nanoTime();
                    hears = true;
                } else {
                    others = true;
                }
            }
            if (others) {
                news.run();
            }
        }
    }

    @Override
    public void close() {
        Thread sender;
        Thread hearer;
        synchronized (this) {
            closed = true;
            sender = sending;
            hearer = listening;
        }
        wanted.release();
        PostgresConnections.discard(listener.get());
        if (sender != null) {
            Uninterrupted.join(sender);
        }
        if (hearer != null) {
            LockSupport.unpark(hearer);
            Uninterrupted.join(hearer);
        }
    }
}
