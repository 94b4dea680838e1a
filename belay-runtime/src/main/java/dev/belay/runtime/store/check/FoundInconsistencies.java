package dev.belay.runtime.store.check;

import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.OperatorRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one look at a head and its rows has found. Confined to one thread. */
final class FoundInconsistencies {

    private final List<Inconsistency> all = new ArrayList<>();

    List<Inconsistency> all() {
        return all;
    }

    /** Adds a finding. */
    void add(Table<?> table, String parent, @Nullable Object child, String what) {
        all.add(new Inconsistency(table.name(), child == null ? parent : parent + " " + child, what));
    }

    /** Adds a finding about the row at a key. */
    void add(Key key, String what) {
        add(key.table(), key.parent(), key.child(), what);
    }

    /** Demands that something holds for a row. */
    <R> void require(boolean holds, Table<R> table, R row, String what) {
        if (!holds) {
            add(table.key(row), what);
        }
    }

    /** Demands that a number in a row is the number that was counted. */
    <R> void requireSame(long said, long counted, Table<R> table, R row, String ofWhat) {
        require(said == counted, table, row, "it says " + said + " " + ofWhat + ", and there are " + counted);
    }

    /** Demands that the place of a row is one that a counter of the store has given; the counter was selected. */
    <R> void requireCounted(Unit unit, String counter, long place, Table<R> table, R row) {
        StoreRows.Counter given = unit.get(StoreRows.COUNTERS, OperatorRows.STORE, counter);
        long last = given == null ? 0 : given.value();
        require(place >= 1 && place <= last, table, row,
                "its place " + place + " is beyond the counter, " + last);
    }

    /** Demands that content which a row refers to exists; it was {@linkplain #selectContent selected}. */
    <R> void requireContent(Unit unit, @Nullable String hash, Table<R> table,
            R row) {
        if (hash != null) {
            require(unit.get(StoreRows.CONTENTS, hash) != null, table, row,
                    "it refers to the content " + hash + ", which is missing");
        }
    }

    /** Names the contents that rows refer to. */
    static void selectContent(Collection<Selector<?>> rows, Collection<@Nullable String> hashes) {
        hashes.stream()
                .filter(Objects::nonNull)
                .distinct()
                .forEach(hash -> rows.add(Selector.one(StoreRows.CONTENTS, hash)));
    }
}
