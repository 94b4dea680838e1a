package dev.belay.runtime.store.journal;

/**
 * A row that contradicts other rows of its store, or was damaged.
 *
 * @param table whose row
 * @param key of the row: its parent, and its child if it has one
 * @param what is wrong
 */
public record Inconsistency(String table, String key, String what) {

    @Override
    public String toString() {
        return table + " " + key + ": " + what;
    }
}
