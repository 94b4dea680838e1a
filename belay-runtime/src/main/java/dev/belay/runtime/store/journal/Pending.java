package dev.belay.runtime.store.journal;

import java.util.function.Supplier;
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
        return of(() -> answer);
    }

    /** One that failed at once. */
    static <T extends @Nullable Object> Pending<T> failed(Throwable failure) {
        return of(() -> {
            switch (failure) {
                case Error error -> throw error;
                case RuntimeException exception -> throw exception;
                default -> throw new IllegalStateException(failure);
            }
        });
    }

    private static <T extends @Nullable Object> Pending<T> of(Supplier<T> answer) {
        return new Pending<>() {

            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public T await() {
                return answer.get();
            }
        };
    }
}
