package dev.belay.generated;

import org.jspecify.annotations.Nullable;

/** Makes records of one class and reads their components. Thread-safe. */
public interface RecordAccess {

    /** Calls the canonical constructor; {@code values} are in component order. */
    Object create(@Nullable Object[] values);

    /** Reads the component at an index. */
    @Nullable
    Object get(Object value, int index);
}
