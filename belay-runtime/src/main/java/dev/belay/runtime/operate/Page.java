package dev.belay.runtime.operate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, as it stood in one moment.
 *
 * @param items at most as many as were asked for. A list with a filter looks at some hundred rows for a page, so that a page may have
 *        few items, or none, and others follow
 * @param next where the next page begins; null if this is the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {

    /** Copies the items. */
    public Page {
        items = List.copyOf(items);
    }

    /** How many items are asked for; refused if it is less than one. */
    public static int size(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a page has at least 1 entry, found " + most);
        }
        return most;
    }
}
