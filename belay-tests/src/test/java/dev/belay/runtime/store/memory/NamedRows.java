package dev.belay.runtime.store.memory;

import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.NotSelectedException;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows only what a selector has named, as a database does. */
final class NamedRows implements Look {

    final Set<Selector<?>> selectors = new HashSet<>();
    private final Look all;

    NamedRows(Look all) {
        this.all = all;
    }

    @Override
    public <R> @Nullable R row(Table<R> table, String parent, @Nullable Object child) {
        if (!selectors.contains(new Selector.One<>(table, parent, child))) {
            throw new NotSelectedException(new Key(table, parent, child));
        }
        return all.row(table, parent, child);
    }

    @Override
    public <R> List<R> rows(Selector<R> selector) {
        if (!selectors.contains(selector)) {
            throw new NotSelectedException(selector);
        }
        return all.rows(selector);
    }

    @Override
    public List<Key> keys(Selector<?> selector) {
        return rows(selector).isEmpty() ? List.of() : all.keys(selector);
    }

    @Override
    public boolean isAlive(String owner) {
        return all.isAlive(owner);
    }
}
