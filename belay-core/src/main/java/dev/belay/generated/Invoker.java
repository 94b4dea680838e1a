package dev.belay.generated;

import org.jspecify.annotations.Nullable;

/** Calls one method. Thread-safe. */
@FunctionalInterface
public interface Invoker {

    /**
     * Calls the method and lets its exception through unchanged.
     *
     * @param target the object, or null for a static method
     * @param arguments in parameter order
     */
    @Nullable
    Object invoke(@Nullable Object target, @Nullable Object[] arguments) throws Throwable;
}
