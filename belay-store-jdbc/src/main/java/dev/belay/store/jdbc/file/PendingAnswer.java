package dev.belay.store.jdbc.file;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one thread waits for and another one gives. An interrupt does not end the waiting; it is set again afterwards.
 */
public class PendingAnswer<R extends @Nullable Object> {

    private volatile @Nullable Thread waiter;
    private @Nullable R value;
    private @Nullable Throwable failure;
    private volatile boolean given;

    /** Ends the waiting with a value. Only the first end counts. */
    public final void give(R result) {
        if (!given) {
            value = result;
            given = true;
            LockSupport.unpark(waiter);
        }
    }

    /** Ends the waiting with something thrown. Only the first end counts. */
    public final void fail(Throwable thrown) {
        if (!given) {
            failure = thrown;
            given = true;
            LockSupport.unpark(waiter);
        }
    }

    public final boolean isGiven() {
        return given;
    }

    @SuppressWarnings("NullAway") // a value that was given is an R, and an R may be null
    public final R await() {
        boolean interrupted = false;
        waiter = Thread.currentThread();
        while (!given) {
            LockSupport.park(this);
            // parking returns at once while the flag is set
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw thrown(failure);
        }
        return value;
    }

    /** Throws what may be thrown without being declared. */
    static RuntimeException thrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }
}
