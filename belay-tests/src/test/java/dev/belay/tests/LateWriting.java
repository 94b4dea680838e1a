package dev.belay.tests;

import dev.belay.runtime.effect.Journal.Written;
import dev.belay.runtime.effect.Writing;
import java.util.function.Supplier;

/** A record that is written when somebody waits for it, which is as late as may be. */
public final class LateWriting implements Writing {

    private final Supplier<Written> write;

    private LateWriting(Supplier<Written> write) {
        this.write = write;
    }

    public static LateWriting of(Supplier<Written> write) {
        return new LateWriting(write);
    }

    @Override
    public boolean isDone() {
        return false;
    }

    @Override
    public Written await() {
        return write.get();
    }
}
