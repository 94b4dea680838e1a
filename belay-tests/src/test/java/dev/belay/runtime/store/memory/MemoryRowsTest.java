package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.Changes;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OwnerLostException;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Owner;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.testkit.rows.RowsContract;
import dev.belay.testkit.rows.RowsOpening;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables and indexes of memory keep what a file keeps: the same rows, in the same order. */
class MemoryRowsTest extends RowsContract {

    @Override
    protected RowsOpening rows() {
        var memory = new SharedMemory();
        return () -> new MemoryRows(memory);
    }

    /** Memory behind the interface of files. A transaction holds the lock of the memory. */
    private static final class MemoryRows implements Rows {

        private final SharedMemory memory;
        private final String owner;
        private boolean closed;

        MemoryRows(SharedMemory memory) {
            this.memory = memory;
            owner = memory.enrol();
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public <T extends @Nullable Object> T read(Operation<T> read) {
            try (Transaction transaction = begin()) {
                List<Selector<?>> first = new ArrayList<>();
                read.first().accept(first);
                var unit = new Unit(transaction.load(first));
                var more = read.second();
                if (more != null) {
                    List<Selector<?>> second = new ArrayList<>();
                    more.accept(unit, second);
                    unit.base(transaction.load(second));
                }
                return read.decide().apply(unit);
            }
        }

        @Override
        public Transaction begin() {
            if (closed) {
                throw JournalException.closed();
            }
            memory.lock().lock();
            return new MemoryTransaction(this);
        }

        private Owner row() {
            Owner row = memory.look().row(StoreRows.OWNERS, owner, null);
            if (row == null) {
                throw new OwnerLostException(
                        new JournalException("another has declared this journal dead", null));
            }
            return row;
        }

        @Override
        public boolean hasCommitted(long batch) {
            return row().lastBatch() == batch;
        }

        @Override
        public long version() {
            return memory.commitsOfOthers(owner);
        }

        @Override
        public void close() {
            closed = true;
            memory.bury(owner);
        }
    }

    private static final class MemoryTransaction implements Rows.Transaction {

        private final MemoryRows rows;
        private final NamedRows named;
        private Changes changes = new Changes(Set.of(), Map.of());

        MemoryTransaction(MemoryRows rows) {
            this.rows = rows;
            named = new NamedRows(rows.memory.look());
        }

        @Override
        public Look load(Collection<Selector<?>> selectors) {
            named.selectors.addAll(selectors);
            return named;
        }

        @Override
        public void flush(Changes all) {
            changes = all;
        }

        @Override
        public void commit(long batch) {
            rows.row();
            var owner = new Owner(rows.owner, batch);
            Map<Key, @Nullable Object> all = new HashMap<>(changes.rows());
            all.put(StoreRows.OWNERS.key(owner), owner);
            rows.memory.apply(rows.owner, new Changes(changes.cleared(), all));
        }

        @Override
        public void close() {
            rows.memory.lock().unlock();
        }
    }
}
