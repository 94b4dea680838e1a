package dev.belay.runtime.store.rows;

import org.jspecify.annotations.Nullable;

/**
 * The address of a row.
 *
 * @param table where it stands
 * @param parent to what it belongs
 * @param child a {@link String} or {@link Long} that tells it from others of the same parent; null if there are none
 */
public record Key(Table<?> table, String parent, @Nullable Object child) {

    @Override
    public String toString() {
        return table + " " + parent + (child == null ? "" : " " + child);
    }
}
