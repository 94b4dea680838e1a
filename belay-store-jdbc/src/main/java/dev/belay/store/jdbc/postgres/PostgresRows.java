package dev.belay.store.jdbc.postgres;

import dev.belay.json.FramedHash;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.rows.LostRaceException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OwnerLostException;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Owner;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.store.jdbc.file.ReaderPool;
import dev.belay.store.jdbc.file.SchemaObjects;
import dev.belay.store.jdbc.rows.LoadedRows;
import dev.belay.store.jdbc.rows.StoredRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows in a schema of a PostgreSQL server. Nodes on several machines may open the same schema. Thread-safe.
 *
 * <p>Concurrency: one connection writes, and is used by the one thread that writes; two threads read ({@link ReaderPool}). The lease
 * has a connection of its own, so that a slow commit does not end it, and so has the listener.
 *
 * <p>Durability: every transaction sets {@code synchronous_commit} on. Each commit writes its number into the writer's row, which stays
 * for a day. After a commit that was not answered, the commit is <em>given up</em> in that row unless its number is there: this write
 * waits until the server has ended a transaction that has written the number, and lets one fail that comes later.
 *
 * <p>Recovery: an owner is dead when its lease was judged ({@link Lease}) or given back. A node whose lease was judged goes on under a new
 * name; the claims of the old one hold no longer, so that it can only write late results. A paused owner inside a transaction is cut
 * off by the server after five seconds, so that it cannot hold the rows that its successor needs.
 */
public final class PostgresRows implements Rows {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresRows.class);
    private static final String BEGIN = "begin isolation level read committed read write";
    private static final String BEGIN_READ = "begin isolation level repeatable read read only";
    /**
     * Every statement looks up keys in indexes, for arrays of any length: its plan is made once and kept. Left to itself the server
     * plans anew each time, because it knows the length of the arrays then; that took longer than the statements.
     */
    private static final String PLANS = "set_config('plan_cache_mode', 'force_generic_plan', true),"
            + " set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),"
            + " set_config('enable_mergejoin', 'off', true)";
    /** A synchronous standby may be asked for more than {@code on}; that stays. */
    private static final String SETTINGS = "select set_config('synchronous_commit', case"
            + " current_setting('synchronous_commit') when 'off' then 'on' when 'local' then 'on'"
            + " else current_setting('synchronous_commit') end, true), set_config('lock_timeout', ?, true),"
            + " set_config('idle_in_transaction_session_timeout', '5s', true), "
            + PLANS;
    /** While another program keeps rows locked, other writes must not wait two seconds for each look at them. */
    private static final String IMPATIENT = "100ms";
    private static final Duration IMPATIENCE = Duration.ofSeconds(10);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    private static final int OWNER_BYTES = 16;

    private final PostgresConnections connections;
    private final PostgresOptions options;
    private final PostgresSql sql;
    private final long lockNumber;
    private final Lease lease;
    private final News news;
    private final ReaderPool<Connection> readers;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile String owner;
    private @Nullable Connection writer;
    private boolean enrolled;
    private boolean nextIsAlone;
    private long lockedUntil = System.nanoTime();

    private PostgresRows(DataSource source, PostgresOptions options) {
        connections = new PostgresConnections(source);
        this.options = options;
        sql = new PostgresSql(options.schema());
        lockNumber = number("write " + options.schema());
        readers = new ReaderPool<>(connections);
        owner = newOwner();
        news = new News(connections, readers, "belay_" + Long.toHexString(number("news " + options.schema())),
                this::owner);
        lease = new Lease(connections, sql, options.lease(), news::here);
    }

    private String newOwner() {
        byte[] bytes = new byte[OWNER_BYTES];
        options.random().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The number of an advisory lock. */
    static long number(String of) {
        return Long.parseUnsignedLong(new FramedHash().add("belay").add(of).hex().substring(0, 16), 16);
    }

    /** Opens a schema, or makes its tables. */
    public static PostgresRows open(DataSource source, PostgresOptions options) {
        return new PostgresConnections(source).onPlatformThread(() -> {
            var rows = new PostgresRows(source, options);
            rows.open();
            return rows;
        });
    }

    /** Opens a schema that a runtime has made, and changes nothing before the first write: that one makes the owner known. */
    public static PostgresRows existing(DataSource source, PostgresOptions options) {
        return new PostgresConnections(source).onPlatformThread(() -> {
            var rows = new PostgresRows(source, options);
            rows.check(false);
            rows.readers.start();
            return rows;
        });
    }

    /** Makes the tables of a schema, if they are not there, with a role that may. */
    public static void migrate(DataSource source, PostgresOptions options) {
        new PostgresConnections(source).onPlatformThread(() -> {
            new PostgresRows(source, options).check(true);
            return true;
        });
    }

    private void check(boolean migrate) throws SQLException {
        Connection connection = connections.reader();
        try {
            var schema = new PostgresSchema(options.schema(), sql);
            schema.checkServer(connection);
            if (migrate) {
                schema.open(connection);
            } else {
                schema.require(connection);
            }
            SchemaObjects.warn("the schema " + options.schema(), schema.altered(connection));
        } finally {
            connections.close(connection);
        }
    }

    private void open() throws SQLException {
        check(true);
        connections.requireEnough();
        enrol();
        readers.start();
    }

    private void enrol() throws SQLException {
        @Nullable
        Object[] row = StoredRow.write(StoreRows.OWNERS, new Owner(owner, 0));
        lease.enrol(owner, Arrays.stream(row).map(Objects::requireNonNull).toList());
        enrolled = true;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public <T extends @Nullable Object> T read(Operation<T> read) {
        return connections.again(() -> readOnce(read));
    }

    /** Never its URL, which may hold a password. */
    @Override
    public String address() {
        return "$BELAY_STORE";
    }

    @Override
    public List<Inconsistency> alteredSchema() {
        return connections.again(
                () -> readers.read(new PostgresSchema(options.schema(), sql)::altered));
    }

    private <T extends @Nullable Object> T readOnce(Operation<T> read) {
        List<Selector<?>> first = new ArrayList<>();
        read.first().accept(first);
        Set<String> living = new HashSet<>();
        var look = new LoadedRows(living::contains);
        var unit = new Unit(look);
        readers.read(connection -> {
            try {
                load(connection, read, first, look, unit, living);
            } catch (SQLException | RuntimeException | Error e) {
                PostgresConnections.discard(connection);
                throw e;
            }
            return true;
        });
        return read.decide().apply(unit);
    }

    private void load(Connection connection, Operation<?> read, List<Selector<?>> first, LoadedRows look,
            Unit unit, Set<String> living) throws SQLException {
        var pipeline = new Pipeline().add(BEGIN_READ).add("select " + PLANS);
        PostgresLoad.read(sql, pipeline, first, look);
        pipeline.add(leases(), row -> living.add(row.getString(1)), List.of());
        var second = read.second();
        if (second == null) {
            pipeline.add("commit").run(connection);
            return;
        }
        pipeline.run(connection);
        List<Selector<?>> more = new ArrayList<>();
        second.accept(unit, more);
        var rest = new Pipeline();
        PostgresLoad.read(sql, rest, more, look);
        rest.add("commit").run(connection);
    }

    /** Selects the owners that live. */
    String leases() {
        return "select owner from " + sql.name("lease") + " where not dead";
    }

    @Override
    public Transaction begin() {
        if (closed.get()) {
            throw JournalException.closed();
        }
        try {
            if (enrolled && lease.isLost()) {
                owner = newOwner();
                enrolled = false;
            }
            if (!enrolled) {
                enrol();
            }
            boolean alone = nextIsAlone;
            nextIsAlone = false;
            return new PostgresTransaction(this, connection(), sql, alone);
        } catch (SQLException e) {
            throw PostgresFailure.of(e);
        }
    }

    private Connection connection() throws SQLException {
        Connection open = writer;
        if (open == null) {
            open = connections.reader();
            writer = open;
        }
        return open;
    }

    /** Begins a transaction, and takes the lock that each one shares with the others, or has alone. */
    void begin(Pipeline pipeline, boolean alone) {
        pipeline.add(BEGIN)
                .add(SETTINGS, System.nanoTime() - lockedUntil < 0 ? IMPATIENT : "2s")
                .add(alone ? "select pg_advisory_xact_lock(?)" : "select pg_advisory_xact_lock_shared(?)",
                        lockNumber);
    }

    long lockNumber() {
        return lockNumber;
    }

    void nextIsAlone() {
        nextIsAlone = true;
    }

    /** Counts a commit in the owner's rows; fails if one is gone, or if the commit was given up ({@link #hasCommitted}). */
    void mark(Pipeline pipeline, long batch) {
        @Nullable
        Object[] row = StoredRow.write(StoreRows.OWNERS, new Owner(owner, batch));
        pipeline.add("with m as (update " + sql.name("owner") + " set last_batch = ?, crc = ? where id = ?"
                + " returning 1), w as (update " + sql.name("writer") + " set batch = ?,"
                + " at = clock_timestamp() where id = ? and given_up < ? returning 1)"
                + " select 1 / ((select count(*) from m) * (select count(*) from w))", batch,
                Objects.requireNonNull(row[row.length - 1]), owner, batch, owner, batch);
    }

    /**
     * The owner's row is gone, and nothing was committed. If the lease was lost with it, the next transaction begins under a new
     * name, and what was decided is decided again: the claims of the old name do not hold any more.
     */
    RuntimeException declaredDead() {
        try {
            lease.renewNow();
        } catch (SQLException e) {
            return PostgresFailure.of(e);
        }
        return lease.isLost() ? new LostRaceException(lost()) : lost();
    }

    private OwnerLostException lost() {
        return new OwnerLostException(new JournalException("another node has declared this journal of the"
                + " schema \"" + options.schema() + "\" dead, because its lease was not renewed", null));
    }

    /** What to throw after a failure before the commit. A broken connection is given up. */
    RuntimeException beforeCommit(SQLException e) {
        if (PostgresFailure.isDisconnected(e)) {
            disconnect();
        }
        if (PostgresFailure.isLocked(e)) {
            lockedUntil = System.nanoTime() + IMPATIENCE.toNanos();
        }
        return PostgresFailure.beforeCommit(e);
    }

    /** What to throw after a commit of which it is not known whether it happened. */
    RuntimeException unanswered(SQLException e) {
        disconnect();
        return PostgresFailure.of(e);
    }

    @SuppressWarnings("ReferenceEquality") // a pool decides what equal connections are
    void rollBack(Connection connection) {
        if (connection != writer) {
            return; // it was given up, and the server rolls back
        }
        try {
            new Pipeline().add("rollback").run(connection);
        } catch (SQLException e) {
            LOG.debug("the transaction was gone already", e);
            disconnect();
        }
    }

    /**
     * Gives the commit up, unless it has happened, on a new connection. The write waits for a transaction that has counted the
     * commit; one whose last statements are still on their way to the server finds that the commit was given up.
     */
    @Override
    public boolean hasCommitted(long batch) {
        disconnect();
        SQLException failure = null;
        long until = System.nanoTime() + options.answerWithin().toNanos();
        do {
            try {
                long[] last = {-1};
                boolean[] known = {false};
                new Pipeline().add("update " + sql.name("writer") + " set given_up = ? where id = ? and batch"
                        + " <> ? and given_up < ?", batch, owner, batch, batch)
                        .add("select batch from " + sql.name("writer") + " where id = ?",
                                row -> last[0] = row.getLong(1), List.of(owner))
                        .add("select 1 from " + sql.name("owner") + " where id = ?", row -> known[0] = true,
                                List.of(owner))
                        .run(connection());
                if (!known[0] && last[0] != batch && declaredDead() instanceof OwnerLostException gone) {
                    throw gone;
                }
                return last[0] == batch;
            } catch (SQLException e) {
                failure = e;
                disconnect();
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        } while (until - System.nanoTime() > 0);
        throw PostgresFailure.of(failure);
    }

    /** Made of the commits that other owners have counted, and of the owners that live. */
    @Override
    public long version() {
        return connections.again(() -> readers.read(connection -> {
            long[] version = {0};
            new Pipeline().add("select coalesce(bit_xor(hashtextextended(id || ' ' || last_batch, 0)), 0)"
                    + " # (select coalesce(bit_xor(hashtextextended(owner, 1)), 0) from " + sql.name("lease")
                    + " where not dead) from "
                    + sql.name("owner") + " where id <> ?", row -> version[0] = row.getLong(1),
                    List.of(owner)).run(connection);
            return version[0];
        }));
    }

    /** What this transaction has committed concerns other nodes. */
    void tellOthers() {
        news.send();
    }

    @Override
    public Others others() {
        return new PostgresOthers(lease, news);
    }

    private void disconnect() {
        Connection broken = writer;
        writer = null;
        PostgresConnections.discard(broken);
        connections.close(broken);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                news.close();
                connections.close(writer);
                writer = null;
                readers.close();
            } finally {
                lease.close();
            }
        }
    }
}
