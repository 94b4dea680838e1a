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
 * @param label what a probe is told, made into text for a probe that listens; null if it is not told
 * @param size about how many bytes it writes
 * @param first names the rows that are known beforehand
 * @param second names rows that only those of the first wave tell; null if there are none
 * @param decide decides; what it throws drops what it has changed
 * @param <T> what it answers
 */
public record Operation<T extends @Nullable Object>(@Nullable Object label, long size,
        Consumer<Collection<Selector<?>>> first, @Nullable BiConsumer<Unit, Collection<Selector<?>>> second,
        Function<Unit, T> decide) {

    /** What a label says: a verb and what it is done to. */
    public record Label(String verb, Object what, Object more) {

        @Override
        public String toString() {
            return verb + what + " " + more;
        }
    }

    /** What a probe is told; null if it is not told. */
    public @Nullable String name() {
        return label == null ? null : label.toString();
    }

    /** The same with another answer, which is made of this one's. */
    public <R extends @Nullable Object> Operation<R> then(Function<? super T, R> answer) {
        return new Operation<>(label, size, first, second, unit -> answer.apply(decide.apply(unit)));
    }

    /** One that loads in one wave. */
    public static <T extends @Nullable Object> Operation<T> of(@Nullable Object label, long size,
            Consumer<Collection<Selector<?>>> first, Function<Unit, T> decide) {
        return new Operation<>(label, size, first, null, decide);
    }

    /** One that only reads. */
    public static <T extends @Nullable Object> Operation<T> reading(Consumer<Collection<Selector<?>>> first,
            Function<Unit, T> decide) {
        return new Operation<>(null, 0, first, null, decide);
    }
}
