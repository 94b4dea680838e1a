package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.store.journal.Others;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an owner alive: a row of its own that is renewed on a connection of its own, by the clock of the database. Thread-safe.
 *
 * <p>A lease that has run out is not lost yet: another node must judge it by a write, and until then it can be renewed. A node judges
 * only while it renews its own lease; after its connection broke, or the server was restarted, all nodes get the length of a lease to
 * renew theirs before any is judged.
 */
final class Lease {

    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

    private final PostgresConnections connections;
    private final PostgresSql sql;
    private final Duration length;
    private final Runnable judged;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Thread thread;
    private @Nullable Connection connection;
    /** Written under the lock, and read without: a renewal may take long. */
    private volatile Held held = new Held("", 0, false);
    private boolean closed;
    private long judgesFrom = System.nanoTime();

    /**
     * What is known of the lease.
     *
     * @param renewed when the last renewal that has succeeded was begun
     * @param lost whether another node has declared the owner dead
     */
    private record Held(String owner, long renewed, boolean lost) {}

    /**
     * No lease yet.
     *
     * @param judged called after another owner was found dead
     */
    Lease(PostgresConnections connections, PostgresSql sql, Duration length, Runnable judged) {
        this.connections = connections;
        this.sql = sql;
        this.length = length;
        this.judged = judged;
    }

    /** Makes an owner known and keeps it alive from now on, in place of the one before. */
    void enrol(String name, List<?> ownerRow) throws SQLException {
        lock.lock();
        try {
            Connection open = connection();
            long now = System.nanoTime();
            new Pipeline().add("begin")
                    .add("insert into " + sql.name("lease") + " (owner, until) values (?, clock_timestamp()"
                            + " + ? * interval '1 millisecond')", name, length.toMillis())
                    .add("insert into " + sql.name("owner") + " (id, last_batch, crc) values (?, ?, ?)", null,
                            ownerRow)
                    .add("insert into " + sql.name("writer") + " (id) values (?)", name)
                    .add("commit")
                    .run(open);
            held = new Held(name, now, false);
            if (thread == null) {
                thread = Thread.ofPlatform().name("belay-lease").daemon().start(this::run);
            }
            changed.signalAll();
        } catch (SQLException e) {
            disconnect();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Whether another node has declared the owner dead. */
    boolean isLost() {
        return held.lost;
    }

    /** How much is left of two thirds of the lease, if it was not lost. */
    Duration sureFor(String owner) {
        Held now = held;
        return now.lost || !now.owner.equals(owner)
                ? Others.NEVER
                : Duration.ofNanos(length.toNanos() / 3 * 2 - (System.nanoTime() - now.renewed));
    }

    /** Renews it now. */
    void renewNow() throws SQLException {
        lock.lock();
        try {
            renew();
        } catch (SQLException e) {
            disconnect();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = connections.reader();
            connection = open;
            open.setNetworkTimeout(Runnable::run,
                    (int) Math.max(SHORTEST_TIMEOUT.toMillis(), length.toMillis() / 3));
        }
        return open;
    }

    private void disconnect() {
        connections.close(connection);
        connection = null;
        judgesFrom = System.nanoTime() + length.toNanos(); // others may have been cut off as well, and for longer
    }

    private void run() {
        long wait = length.toNanos() / 3;
        while (true) {
            boolean found = false;
            lock.lock();
            try {
                long until = System.nanoTime() + wait;
                while (!closed && until - System.nanoTime() > 0) {
                    changed.awaitNanos(until - System.nanoTime());
                }
                if (closed) {
                    return;
                }
                long[] answer = renew();
                found = answer[0] > 0;
                wait = answer[1];
            } catch (SQLException e) {
                LOG.warn("the lease could not be renewed; trying again", e);
                disconnect();
                wait = Math.min(AFTER_FAILURE.toNanos(), length.toNanos() / 3);
            } catch (InterruptedException e) {
                return;
            } finally {
                lock.unlock();
            }
            if (found) {
                judged.run();
            }
        }
    }

    /** How many owners were found dead, and how long to wait until the next time. */
    private long[] renew() throws SQLException {
        long now = System.nanoTime();
        String owner = held.owner;
        boolean wasCurrent = now - held.renewed < length.toNanos();
        if (!wasCurrent) {
            judgesFrom = now + length.toNanos();
        }
        boolean judges = !held.lost && wasCurrent && now - judgesFrom >= 0;
        String lease = sql.name("lease");
        long[] counts = {0, 0, Long.MAX_VALUE};
        new Pipeline().add("with r as (update " + lease + " set until = clock_timestamp()"
                + " + ? * interval '1 millisecond' where owner = ? and not dead returning 1),"
                + " j as (update " + lease + " set dead = true where ? and owner in (select owner from "
                + lease + " where not dead and owner <> ? and until < clock_timestamp() and clock_timestamp()"
                + " - pg_postmaster_start_time() > ? * interval '1 millisecond' for update skip locked)"
                + " returning 1), d as (delete from " + lease + " where dead and until < clock_timestamp()"
                + " - interval '1 day'), w as (delete from " + sql.name("writer") + " where id <> ? and at <"
                + " clock_timestamp() - interval '1 day' and id not in (select owner from " + lease
                + ")) select (select count(*) from r), (select count(*) from j),"
                + " (select (extract(epoch from min(until) - clock_timestamp()) * 1000)::bigint from " + lease
                + " where not dead and owner <> ?)", row -> {
                    counts[0] = row.getLong(1);
                    counts[1] = row.getLong(2);
                    counts[2] = row.getLong(3);
                    if (row.wasNull()) {
                        counts[2] = Long.MAX_VALUE;
                    }
                }, List.of(length.toMillis(), owner, judges, owner, length.toMillis(), owner, owner))
                .run(connection());
        if (counts[0] > 0) {
            held = new Held(owner, now, false);
        } else if (!held.lost) {
            held = new Held(owner, held.renewed, true);
            LOG.warn("another node has declared the owner {} dead; what it runs is taken by others", owner);
        }
        long third = length.toNanos() / 3;
        long next = counts[2] == Long.MAX_VALUE || !judges
                ? third
                : TimeUnit.MILLISECONDS.toNanos(Math.max(0, counts[2])) + SHORTEST.toNanos();
        return new long[]{counts[1], Math.min(third, next)};
    }

    /** Ends the owner: others find it dead at once. */
    void close() {
        Thread running = null;
        lock.lock();
        try {
            closed = true;
            running = thread;
            changed.signalAll();
            if (!held.owner.isEmpty()) {
                new Pipeline().add("delete from " + sql.name("lease") + " where owner = ?", held.owner)
                        .run(connection());
            }
        } catch (SQLException e) {
            LOG.warn("the lease of {} could not be given back; others take its scopes when it runs out",
                    held.owner, e);
        } finally {
            disconnect();
            lock.unlock();
        }
        if (running != null) {
            Uninterrupted.join(running);
        }
    }
}
