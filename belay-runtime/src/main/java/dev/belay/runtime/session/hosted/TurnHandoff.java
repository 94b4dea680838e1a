package dev.belay.runtime.session.hosted;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.tool.context.Suspended;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands work from the thread of a program's loop to the thread of the turn's scope, one piece at a time.
 *
 * <p>Concurrency: everything is guarded by one lock. If the store fails, the scope's thread leaves the scope and the
 * work stays: the next entry does it again. If the scope is left for good, waiting threads are told.
 */
public final class TurnHandoff {

    private final long fence;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable EffectScope scope;
    private @Nullable Thread runner;
    private @Nullable Command<?> current;
    private boolean interrupted;
    private boolean closing;
    private @Nullable Throwable failure;
    private boolean gone;

    TurnHandoff(long fence) {
        this.fence = fence;
    }

    /** Work for the scope's thread. */
    private static final class Command<T> {

        private final Function<EffectScope, T> work;
        private final boolean ends;
        private boolean done;
        private @Nullable T value;
        private @Nullable Throwable thrown;

        Command(Function<EffectScope, T> work, boolean ends) {
            this.work = work;
            this.ends = ends;
        }
    }

    /** The program's loop has failed, and the scope with it. */
    static final class LoopFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LoopFailure(Throwable cause) {
            super("a loop failed: " + cause, cause);
        }
    }

    /**
     * Does work in the scope and waits for it; an interrupt of the waiting thread reaches the work.
     *
     * @return its result; empty if the scope was left meanwhile
     */
    <T> Optional<T> run(Function<EffectScope, T> work) {
        return await(new Command<>(work, false));
    }

    /** Ends the scope with the result of work, and waits until it is left. */
    void end(Function<EffectScope, Json> work) {
        await(new Command<>(work, true));
    }

    private <T> Optional<T> await(Command<T> command) {
        boolean wasInterrupted = false;
        lock.lock();
        try {
            if (Thread.currentThread().equals(runner)) {
                throw new IllegalStateException(
                        "a listener of a turn cannot use the turn itself: the turn waits for it");
            }
            while (current != null && !gone) {
                changed.awaitUninterruptibly();
            }
            if (!gone) {
                current = command;
                changed.signalAll();
            }
            while (!command.done && !gone) {
                try {
                    changed.await();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                    interruptRunner();
                }
            }
            if (command.thrown != null) {
                throw sneaky(command.thrown);
            }
            return Optional.ofNullable(command.value);
        } finally {
            if (current == command) {
                current = null;
                changed.signalAll();
            }
            lock.unlock();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void interruptRunner() {
        Thread running = runner;
        if (running != null) {
            interrupted = true;
            running.interrupt();
        }
    }

    /** Rethrows what the work has thrown; bodies and models throw nothing checked. */
    private static RuntimeException sneaky(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    /** The scope, once a thread has entered it; null if it was left. */
    public @Nullable EffectScope scope() {
        lock.lock();
        try {
            while (scope == null && !gone) {
                changed.awaitUninterruptibly();
            }
            return gone ? null : scope;
        } finally {
            lock.unlock();
        }
    }

    /** Does the work of the loop until the scope is to end. The scope's own thread. */
    Json serve(EffectScope entered) {
        enter(entered);
        try {
            while (true) {
                Command<?> command = next(entered);
                Object value = null;
                Throwable thrown = null;
                try {
                    value = command.work.apply(entered);
                } catch (Suspended | FencedException | JournalException | ReplayMismatchException e) {
                    throw e; // asked again when the scope is entered again
                } catch (Throwable e) {
                    thrown = e;
                }
                if (command.ends && thrown == null) {
                    return (Json) Objects.requireNonNull(value);
                }
                finish(command, value, thrown);
            }
        } finally {
            leave();
        }
    }

    private void enter(EffectScope entered) {
        lock.lock();
        try {
            scope = entered;
            runner = Thread.currentThread();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            runner = null;
            calm();
        } finally {
            lock.unlock();
        }
    }

    /** Clears an interrupt that came from the loop and was meant for its work alone. */
    private void calm() {
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
    }

    private Command<?> next(EffectScope entered) {
        lock.lock();
        try {
            while (current == null || current.done) {
                if (closing) {
                    throw JournalException.closed();
                }
                if (failure != null) {
                    gone = true;
                    changed.signalAll();
                    throw new LoopFailure(failure);
                }
                if (gone) { // the scope was claimed anew, and this is an old claim
                    throw new FencedException(entered.id(), fence);
                }
                try {
                    changed.await();
                } catch (InterruptedException e) {
                    if (!interrupted) { // not by the loop, but by the host: it closes, or has lost the scope
                        throw new FencedException(entered.id(), fence);
                    }
                    calm();
                }
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("unchecked")
    private void finish(Command<?> command, @Nullable Object value, @Nullable Throwable thrown) {
        lock.lock();
        try {
            calm();
            ((Command<Object>) command).value = value;
            command.thrown = thrown;
            command.done = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The loop has failed: nothing more is done here, and the scope is left by that fault. */
    void fail(Throwable fault) {
        lock.lock();
        try {
            failure = fault;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The fence of the claim under which the turn runs. */
    long fence() {
        return fence;
    }

    /** The scope was left, or claimed anew; nothing more is done here. */
    void abolish() {
        lock.lock();
        try {
            gone = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The host closes. */
    void close() {
        lock.lock();
        try {
            closing = true;
            gone = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isGone() {
        lock.lock();
        try {
            return gone;
        } finally {
            lock.unlock();
        }
    }
}
