package dev.belay.runtime.store.commit;

import dev.belay.runtime.store.journal.Pending;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The answer that one thread gives and another one waits for. An interrupt does not end the waiting; it is set again afterwards.
 *
 * @param <T> the value
 */
public class PendingAnswer<T extends @Nullable Object> implements Pending<T> {

    private volatile @Nullable Thread waiter;
    private @Nullable T value;
    private @Nullable Throwable failure;
    private volatile boolean given;

    /** One that was not given. */
    public PendingAnswer() {}

    /** Ends the waiting with a value. Only the first end counts. */
    public final void give(T result) {
        if (!given) {
            value = result;
            given = true;
            LockSupport.unpark(waiter);
        }
    }

    /** Ends the waiting with a failure. Only the first end counts. */
    public final void fail(Throwable thrown) {
        if (!given) {
            failure = thrown;
            given = true;
            LockSupport.unpark(waiter);
        }
    }

    @Override
    public final boolean isDone() {
        return given;
    }

    @Override
    @SuppressWarnings("NullAway") // a value that was given is a T, and a T may be null
    public final T await() {
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
            throw unchecked(failure);
        }
        return value;
    }

    /** Throws an error, and returns an exception that may be thrown without being declared. */
    static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException exception ? exception : new IllegalStateException(failure);
    }
}
