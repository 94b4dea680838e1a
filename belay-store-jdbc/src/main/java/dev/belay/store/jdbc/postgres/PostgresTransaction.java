package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.LostRaceException;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Selector.One;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Table.Column;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.postgres.Pipeline.ArrayOf;
import dev.belay.store.jdbc.rows.LoadedRows;
import dev.belay.store.jdbc.rows.StoredRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction on the connection that writes.
 *
 * <p>Concurrency: in one round trip all rows that a selector names by key are locked, in the order of table and key, and then, by
 * statements that begin behind the last lock, everything is read. A single statement that locks and reads would return what it saw
 * before it waited. A row that another owner inserted meanwhile is read and not locked; then all is loaded again. Sets of rows are
 * guarded by the head that the same operation loads. A few tables are read without a head and seldom written ({@link #GUARDED}):
 * every transaction has a shared advisory lock, and one that changes such a table has it alone.
 *
 * <p>A row that was not there when it was loaded is inserted; if another owner was faster, the race is lost. So it is if the same
 * commit has made the row and deleted it again: what was deleted with it would be what the other owner has written.
 */
final class PostgresTransaction implements Rows.Transaction {

    /** Read by many writes, without a head that guards them: pauses, secrets, doubts. */
    private static final Set<Table<?>> GUARDED = Set.of(OperatorRows.PAUSES, StoreRows.SECRETS,
            OperatorRows.DOUBTS);
    /** Deleted if no row of many tables refers to them. */
    private static final Set<Table<?>> REFERRED = Set.of(StoreRows.CONTENTS, StoreRows.BYTES);
    /** No other node waits for a change of these alone. */
    private static final Set<Table<?>> QUIET = Set.of(ScopeRows.EFFECTS, StoreRows.CONTENTS, StoreRows.BYTES,
            StoreRows.KEPT, StoreRows.OWNERS, ScopeRows.AWAITED, OperatorRows.AUDIT);
    private static final int LOADS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(PostgresTransaction.class);

    private final PostgresRows rows;
    private final Connection connection;
    private final PostgresSql sql;
    private final Set<String> living = new HashSet<>();
    private final LoadedRows look = new LoadedRows(living::contains);
    private final Set<Key> locked = new HashSet<>();
    private boolean alone;
    private boolean begun;
    private boolean ended;
    private boolean concernsOthers;

    /**
     * A transaction that has not begun.
     *
     * @param alone whether no other transaction may run beside it
     */
    PostgresTransaction(PostgresRows rows, Connection connection, PostgresSql sql, boolean alone) {
        this.rows = rows;
        this.connection = connection;
        this.sql = sql;
        this.alone = alone;
    }

    @Override
    public Look load(Collection<Selector<?>> selectors) {
        try {
            for (int tries = 0; tries < LOADS; tries++) {
                if (loadOnce(selectors)) {
                    return look;
                }
            }
            throw new LostRaceException(new IllegalStateException("rows were inserted during each load"));
        } catch (SQLException e) {
            throw rows.beforeCommit(e);
        }
    }

    /** Returns whether every row that was read by its key is locked. */
    private boolean loadOnce(Collection<Selector<?>> selectors) throws SQLException {
        var pipeline = new Pipeline();
        if (!begun) {
            begun = true;
            rows.begin(pipeline, alone);
        }
        List<Key> keys = new ArrayList<>();
        Map<Table<?>, List<Key>> locks = new TreeMap<>(Comparator.comparing(Table::name));
        for (Selector<?> selector : selectors) {
            if (selector instanceof One<?> one && !GUARDED.contains(one.table())) {
                var key = new Key(one.table(), one.parent(), one.child());
                keys.add(key);
                if (!locked.contains(key)) {
                    locks.computeIfAbsent(key.table(), table -> new ArrayList<>()).add(key);
                }
            }
        }
        PostgresLoad.lock(sql, pipeline, locks, locked);
        PostgresLoad.read(sql, pipeline, selectors, look);
        living.clear();
        pipeline.add(rows.leases(), row -> living.add(row.getString(1)), List.of());
        pipeline.run(connection);
        return keys.stream().allMatch(key -> look.stored(key) == null || locked.contains(key));
    }

    @Override
    public void flush(Changes changes) {
        try {
            if (!alone && needsToBeAlone(changes)) {
                isolate();
            }
            Map<Table<?>, Writes> tables = new TreeMap<>(Comparator.comparing(Table::name));
            Map<Table<?>, List<Key>> absent = new TreeMap<>(Comparator.comparing(Table::name));
            changes.cleared().forEach(parent -> {
                if (!wasAbsent(parent)) {
                    tables.computeIfAbsent(parent.table(), Writes::new).cleared.add(parent);
                } else if (!changes.rows().containsKey(parent)) {
                    absent.computeIfAbsent(parent.table(), table -> new ArrayList<>()).add(parent);
                }
            });
            changes.rows().forEach((key, row) -> {
                Writes writes = tables.computeIfAbsent(key.table(), Writes::new);
                if (row == null && wasAbsent(key)) {
                    absent.computeIfAbsent(key.table(), table -> new ArrayList<>()).add(key);
                } else if (row == null) {
                    writes.deleted.add(key);
                } else {
                    @Nullable
                    Object[] values = values(key.table(), row);
                    if (wasAbsent(key)) {
                        writes.inserted.add(values);
                    } else if (differsInNumbersAlone(key, values)
                            && !changes.cleared().contains(new Key(key.table(), key.parent(), null))) {
                        writes.counted.add(values);
                    } else {
                        writes.written.add(values);
                    }
                }
            });
            var pipeline = new Pipeline();
            int[] inserted = {0};
            tables.values().forEach(writes -> writes.addTo(pipeline, sql, inserted));
            concernsOthers |= changes.rows().entrySet().stream().anyMatch(this::concernsOthers)
                    && living.stream().anyMatch(owner -> !owner.equals(rows.owner()));
            Set<Key> appeared = new HashSet<>();
            PostgresLoad.lock(sql, pipeline, absent, appeared);
            pipeline.run(connection);
            if (inserted[0] != 0 || !appeared.isEmpty()) {
                throw new LostRaceException(new IllegalStateException(
                        "another owner has inserted " + inserted[0] + " rows, and " + appeared));
            }
        } catch (SQLException e) {
            throw rows.beforeCommit(e);
        }
    }

    /** Most heads change in their counts alone: then their texts need not be sent and written. */
    private boolean differsInNumbersAlone(Key key, @Nullable Object[] values) {
        StoredRow<?> before = look.stored(key);
        return before != null && locked.contains(key) && before.differsInNumbersAlone(values);
    }

    /** Whether a row was loaded by its key and was not there. */
    private boolean wasAbsent(Key key) {
        return look.has(key) && look.stored(key) == null;
    }

    /** Records of a scope that this node runs are read by no other. */
    private boolean concernsOthers(Map.Entry<Key, ?> change) {
        return change.getValue() instanceof Scope scope
                ? scope.status() != Status.RUNNING || !rows.owner().equals(scope.owner())
                : !QUIET.contains(change.getKey().table());
    }

    private static boolean needsToBeAlone(Changes changes) {
        return changes.cleared().stream().anyMatch(parent -> GUARDED.contains(parent.table()))
                || changes.rows()
                        .entrySet()
                        .stream()
                        .anyMatch(change -> GUARDED.contains(change.getKey().table())
                                || (change.getValue() == null
                                        && REFERRED.contains(change.getKey().table())));
    }

    /** Since the shared lock was taken no other transaction was alone, so that what was loaded still holds. */
    private void isolate() throws SQLException {
        boolean[] free = {false};
        new Pipeline().add("select pg_try_advisory_xact_lock(?)", row -> free[0] = row.getBoolean(1),
                List.of(rows.lockNumber())).run(connection);
        if (!free[0]) {
            rows.nextIsAlone();
            throw new LostRaceException(new IllegalStateException("other transactions run beside this one"));
        }
        alone = true;
    }

    /** The changes of one table. */
    private static final class Writes {

        private final Table<?> table;
        private final List<Key> cleared = new ArrayList<>();
        private final List<Key> deleted = new ArrayList<>();
        private final List<@Nullable Object[]> inserted = new ArrayList<>();
        private final List<@Nullable Object[]> counted = new ArrayList<>();
        private final List<@Nullable Object[]> written = new ArrayList<>();

        Writes(Table<?> table) {
            this.table = table;
        }

        /** Adds what is to be done, and counts the rows that were to be new and are not. */
        void addTo(Pipeline pipeline, PostgresSql sql, int[] missing) {
            if (!cleared.isEmpty()) {
                pipeline.add(sql.clear(table),
                        new ArrayOf("text", cleared.stream().map(Key::parent).toArray()));
            }
            if (!deleted.isEmpty()) {
                pipeline.add(sql.delete(table), null, PostgresLoad.keyArrays(table, deleted));
            }
            if (!inserted.isEmpty()) {
                missing[0] += inserted.size();
                pipeline.add(sql.insert(table), row -> missing[0]--, arrays(inserted, table.columns()));
            }
            if (!counted.isEmpty()) {
                pipeline.add(sql.update(table), null, arrays(counted, PostgresSql.keysAndNumbers(table)));
            }
            if (!written.isEmpty()) {
                pipeline.add(sql.upsert(table), null, arrays(written, table.columns()));
            }
        }

        /** Some columns of rows, and their checksums. */
        private List<Object> arrays(List<@Nullable Object[]> values, List<Column> columns) {
            values.sort(this::compareKeys);
            List<Object> arrays = new ArrayList<>();
            for (Column column : columns) {
                arrays.add(array(PostgresSql.type(column), values, table.columns().indexOf(column)));
            }
            arrays.add(array("bigint", values, table.columns().size()));
            return arrays;
        }

        /** In the order in which rows are locked. */
        private int compareKeys(@Nullable Object[] one, @Nullable Object[] other) {
            int parents = Unit.compare(one[0], other[0]);
            return parents != 0 || table.keys() == 1 ? parents : Unit.compare(one[1], other[1]);
        }

        private static ArrayOf array(String type, List<@Nullable Object[]> values, int at) {
            return new ArrayOf(type, values.stream().map(row -> row[at]).toArray());
        }
    }

    @SuppressWarnings("unchecked") // a row stands under a key of its table
    private static <R> @Nullable Object[] values(Table<R> table, Object row) {
        return StoredRow.write(table, (R) row);
    }

    @Override
    public void commit(long batch) {
        try {
            var pipeline = new Pipeline();
            rows.mark(pipeline, batch);
            pipeline.add("commit").run(connection);
            ended = true;
            tellOthers();
        } catch (SQLException e) {
            if (PostgresFailure.state(e).equals(PostgresFailure.DIVIDED_BY_ZERO)) {
                throw rows.declaredDead();
            }
            if (PostgresFailure.isRace(e) || PostgresFailure.isLocked(e)) {
                throw new LostRaceException(e);
            }
            ended = true;
            if (!PostgresFailure.isDisconnected(e)) {
                throw rows.unanswered(e);
            }
            LOG.warn("a commit was not answered; asking whether it has happened", e);
            if (!rows.hasCommitted(batch)) {
                throw new LostRaceException(e);
            }
            tellOthers();
        }
    }

    private void tellOthers() {
        if (concernsOthers) {
            rows.tellOthers();
        }
    }

    @Override
    public void close() {
        if (begun && !ended) {
            ended = true;
            rows.rollBack(connection);
        }
    }
}
