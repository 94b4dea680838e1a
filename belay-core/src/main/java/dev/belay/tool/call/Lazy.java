package dev.belay.tool.call;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value made when first asked for. Making it twice in a race is harmless. */
public final class Lazy<T> implements Supplier<T> {

    private final Supplier<T> source;
    private volatile @Nullable T value;

    public Lazy(Supplier<T> source) {
        this.source = source;
    }

    @Override
    public T get() {
        T made = value;
        if (made == null) {
            made = source.get();
            value = made;
        }
        return made;
    }
}
