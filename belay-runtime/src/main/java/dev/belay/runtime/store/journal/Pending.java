package dev.belay.runtime.store.journal;

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

    /** One that was decided at once. */
    static <T extends @Nullable Object> Pending<T> done(T answer) {
        return new Done<>(answer);
    }

    /** One that failed at once. */
    static <T extends @Nullable Object> Pending<T> failed(Throwable failure) {
        return new Failed<>(failure);
    }

    /** One that is decided. */
    record Done<T extends @Nullable Object>(T await) implements Pending<T> {

        @Override
        public boolean isDone() {
            return true;
        }
    }

    /** One that has failed. */
    record Failed<T extends @Nullable Object>(Throwable failure) implements Pending<T> {

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public T await() {
            switch (failure) {
                case Error error -> throw error;
                case RuntimeException exception -> throw exception;
                default -> throw new IllegalStateException(failure);
            }
        }
    }
}
