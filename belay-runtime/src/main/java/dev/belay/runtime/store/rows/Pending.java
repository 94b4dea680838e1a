package dev.belay.runtime.store.rows;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a write that is under way.
 *
 * @param <T> what it answers
 */
public interface Pending<T extends @Nullable Object> {

    /** Whether it is decided, so that {@link #await} returns at once. */
    boolean isDone();

    /** Waits until it is durable, or refused, or has failed. An interrupt does not end the waiting, and is set again. */
    T await();
}
