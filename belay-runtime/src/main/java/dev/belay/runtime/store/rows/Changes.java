package dev.belay.runtime.store.rows;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be flushed: first all rows of some parents are deleted, then rows are written or deleted.
 *
 * @param cleared tables and parents, each as a key without a child
 * @param rows new rows by their keys; null for one that is deleted
 */
public record Changes(Set<Key> cleared, Map<Key, @Nullable Object> rows) {

    /** Whether there is nothing to flush. */
    public boolean isEmpty() {
        return cleared.isEmpty() && rows.isEmpty();
    }
}
