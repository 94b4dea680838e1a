package dev.belay.json;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few objects that are costly to make for the next use. It has a fixed number of places; an object that finds none is
 * left to the collector. Thread-safe.
 */
final class Spare<T> {

    private static final int PLACES = 32;
    /** Looks at so many places: those of the threads beside this one. */
    private static final int LOOKS = 4;

    private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);

    /** An object that no other thread has, or null. */
    @Nullable
    T take() {
        for (int look = 0; look < LOOKS; look++) {
            int at = place(look);
            if (places.getPlain(at) != null) {
                T found = places.getAndSet(at, null);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Gives back an object that is not used any more. */
    void give(T object) {
        for (int look = 0; look < LOOKS; look++) {
            int at = place(look);
            if (places.getPlain(at) == null && places.compareAndSet(at, null, object)) {
                return;
            }
        }
    }

    private static int place(int look) {
        return (int) (Thread.currentThread().threadId() + look) & (PLACES - 1);
    }
}
