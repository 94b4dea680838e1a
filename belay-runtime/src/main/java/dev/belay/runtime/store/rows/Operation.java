package dev.belay.runtime.store.rows;

import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One write, or one read: which rows it needs, and what it decides over them. It may be decided several times; only the last time
 * counts. Immutable.
 *
 * @param name what a probe is told; null if it is not told
 * @param size about how many bytes it writes
 * @param first names the rows that are known beforehand
 * @param second names rows that only those of the first wave tell; null if there are none
 * @param decide decides; what it throws drops what it has changed
 * @param <T> what it answers
 */
public record Operation<T extends @Nullable Object>(@Nullable String name, long size,
        Consumer<Collection<Selector<?>>> first, @Nullable BiConsumer<Unit, Collection<Selector<?>>> second,
        Function<Unit, T> decide) {

    /** One that loads in one wave. */
    public static <T extends @Nullable Object> Operation<T> of(@Nullable String name, long size,
            Consumer<Collection<Selector<?>>> first, Function<Unit, T> decide) {
        return new Operation<>(name, size, first, null, decide);
    }

    /** One that only reads. */
    public static <T extends @Nullable Object> Operation<T> reading(Consumer<Collection<Selector<?>>> first,
            Function<Unit, T> decide) {
        return new Operation<>(null, 0, first, null, decide);
    }
}
