package dev.belay.tests;

import dev.belay.runtime.effect.Journal.Written;
import dev.belay.runtime.effect.Writing;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A record that is written as late as may be: when the thread that made it waits for it, or has ended, or something else has
 * happened.
 */
public final class LateWriting implements Writing {

    private static final String WAITS_IN = "dev.belay.runtime.effect.UnderWay";
    private static final long A_MOMENT = 20_000;

    private final Thread maker = Thread.currentThread();
    private final List<String> order;
    private final int before;
    private final Supplier<Written> write;

    private LateWriting(List<String> order, Supplier<Written> write) {
        this.order = order;
        this.before = order.size();
        this.write = write;
    }

    /** One that waits for its turn in what happens. */
    public static LateWriting of(List<String> order, Supplier<Written> write) {
        return new LateWriting(order, write);
    }

    @Override
    public boolean isDone() {
        return false;
    }

    @Override
    public Written await() {
        while (!Thread.currentThread().equals(maker) && maker.isAlive() && order.size() == before
                && !isWaitedFor()) {
            LockSupport.parkNanos(A_MOMENT);
        }
        return write.get();
    }

    private boolean isWaitedFor() {
        return Arrays.stream(maker.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(WAITS_IN));
    }
}
