package dev.belay.tests;

import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Written;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A record that is written as late as may be: when a thread waits for it, or has ended, or something else has happened. */
public final class LateWriting implements Pending<Written> {

    private static final String WAITS_IN = "dev.belay.runtime.effect.scope.PendingRecords";
    private static final long A_MOMENT = 20_000;

    private final Thread scope;
    private final List<String> order;
    private final int before;
    private final Supplier<Written> write;

    private LateWriting(Thread scope, List<String> order, Supplier<Written> write) {
        this.scope = scope;
        this.order = order;
        this.before = order.size();
        this.write = write;
    }

    /** One that the thread which makes it waits for. */
    public static LateWriting of(List<String> order, Supplier<Written> write) {
        return of(Thread.currentThread(), order, write);
    }

    /** One that a thread waits for. */
    public static LateWriting of(Thread scope, List<String> order, Supplier<Written> write) {
        return new LateWriting(scope, order, write);
    }

    /** Writes one that somebody stands before. */
    public static Written written(Intercepted.Real begin) {
        try {
            return (Written) Objects.requireNonNull((Pending<?>) begin.call()).await();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean isDone() {
        return false;
    }

    @Override
    public Written await() {
        while (!Thread.currentThread().equals(scope) && scope.isAlive() && order.size() == before
                && !isWaitedFor()) {
            LockSupport.parkNanos(A_MOMENT);
        }
        return write.get();
    }

    private boolean isWaitedFor() {
        return Arrays.stream(scope.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(WAITS_IN));
    }
}
