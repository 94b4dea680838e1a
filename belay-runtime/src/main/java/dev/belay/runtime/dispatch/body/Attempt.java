package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.Suspended;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body once, on a thread of its own, and does not wait for it longer than it may take.
 *
 * <p><b>Concurrency.</b> Three parties: the call's thread, which waits in {@link #run}; the body's thread; and the thread of an
 * alarm or a cancellation. One lock orders them. The first reason to stop wins; it sets the token, interrupts the body and
 * gives it a second to end by itself. What the body answers within that second counts. After it the call goes on without the
 * body, which becomes <i>abandoned</i>: its place and its resource stay taken until its thread has ended, and what it then
 * answers is a late result. <b>Durability.</b> Nothing is written here except late results. <b>Recovery.</b> If the call's own
 * thread is interrupted, the host closes: the body is interrupted, and has the same second of real time. An answer of its own counts;
 * otherwise nothing is recorded of it.
 */
public final class Attempt {

    private static final String CUT_OFF = "its node was cut off from the store and had to let its resource go";

    /** How long a body may take to end after it was interrupted. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final BodyCall call;
    private final Deadlines deadlines;
    private final Shield shield = new Shield();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable Stop stop;
    private @Nullable BodyEnd ended;
    private @Nullable Abandoned abandoned;
    private boolean graceOver;
    private volatile boolean begun;
    private TimeSource.@Nullable Alarm grace;

    /**
     * Prepares an attempt.
     *
     * @param used what earlier attempts took of the total
     */
    public Attempt(BodyCall call, Duration used) {
        this.call = call;
        this.deadlines = new Deadlines(call.resources().time(), call.total().minus(used),
                call.definition().manifest().timeouts().idle(), why -> stop(new Stop.Expired(why)));
    }

    /** Set when the body should end, whatever the reason. */
    Cancellation token() {
        return () -> Optional.ofNullable(stop).map(Stop::reason);
    }

    /** Why the body should have ended, unless the host closes. */
    Optional<String> whyStopped() {
        Stop why = stop;
        return why == null || why instanceof Stop.Closing
                ? call.scope().cancellation().reason()
                : Optional.of(why.reason());
    }

    /** Whether the host closes; then an answer of the body may be for that reason only. */
    boolean isClosing() {
        return stop instanceof Stop.Closing;
    }

    /** Whether the thread of the body has ended. */
    public boolean isOver() {
        lock.lock();
        try {
            return ended != null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the body had a place and was started. */
    public boolean hasBegun() {
        return begun;
    }

    /** How long the body has run, and may run. */
    public Deadlines deadlines() {
        return deadlines;
    }

    Shield shield() {
        return shield;
    }

    /** Waits for a place, runs the body there, and says how it ended. */
    public BodyEnd run(AttemptBody body) {
        Slots.Ticket place = call.resources().slots().queue(call.definition().name(), call.scope().id());
        Runnable off = call.scope().onCancel(reason -> {
            place.cancel();
            stop(new Stop.Cancelled(reason));
        });
        Runnable letGo = () -> {};
        boolean started = false;
        try {
            boolean granted = place.await();
            call.scope().awaitSure();
            if (call.doubts().resource() != null) {
                letGo = call.scope().onLetGo(() -> stop(new Stop.Expired(CUT_OFF)));
            }
            Optional<String> cancelled = call.scope().cancellation().reason();
            if (!granted || (cancelled.isPresent() && !body.evenIfCancelled())) {
                return new BodyEnd.NotStarted(cancelled.orElse("the call was cancelled"));
            }
            Thread thread = call.resources().threads().newThread(inContext(body, place));
            shield.guard(thread);
            body.onThread().accept(thread);
            deadlines.start();
            begun = true;
            thread.start();
            started = true;
            return await(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JournalException.closed();
        } finally {
            off.run();
            letGo.run();
            if (!started) {
                place.release();
            }
        }
    }

    private BodyEnd await(AttemptBody body) throws InterruptedException {
        try {
            lock.lockInterruptibly();
            try {
                while (ended == null && !graceOver) {
                    changed.await();
                }
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            return closing(body, e);
        } finally {
            deadlines.stop();
        }
        BodyEnd end = leave(body);
        cancelGrace();
        return end;
    }

    /** The host closes: an answer that the body gives to the interrupt counts if it is its own. */
    private BodyEnd closing(AttemptBody body, InterruptedException interrupt) throws InterruptedException {
        stop(new Stop.Closing("the program stops"));
        long end = System.nanoTime() + GRACE.toNanos();
        lock.lock();
        try {
            for (long left = GRACE.toNanos(); ended == null && left > 0; left = end - System.nanoTime()) {
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
        BodyEnd answer = leave(body);
        cancelGrace();
        if (!Stop.isOwn(answer)) {
            throw interrupt;
        }
        Thread.currentThread().interrupt();
        return answer;
    }

    /** Takes what the body answered, or goes on without it. */
    private BodyEnd leave(AttemptBody body) {
        lock.lock();
        try {
            if (ended != null) {
                return meaning(ended);
            }
        } finally {
            lock.unlock();
        }
        Runnable release = body.keep().get();
        lock.lock();
        try {
            if (ended == null) {
                abandoned = new Abandoned(release, body.late());
                LOG.warn("Tool {} of {} does not end: {}; its thread goes on alone",
                        call.definition().name(), call.scope().id(), stop);
                return meaning(new BodyEnd.Waits());
            }
        } finally {
            lock.unlock();
        }
        release.run();
        return meaning(ended);
    }

    /** The scope tells of its cancellation on another thread: a body may have heard of it, and ended, before. */
    private BodyEnd meaning(BodyEnd end) {
        Stop why = stop;
        if (why == null && end instanceof BodyEnd.Answered) {
            why = call.scope().cancellation().reason().map(Stop.Cancelled::new).orElse(null);
        }
        return Stop.meaning(why, end);
    }

    private Runnable inContext(AttemptBody body, Slots.Ticket place) {
        Carriers.Captured context = call.resources().carriers().here();
        return () -> {
            BodyEnd end = new BodyEnd.Waits();
            try {
                if (token().isRequested()) {
                    Thread.currentThread().interrupt();
                }
                end = Carriers.within(context, () -> end(body.code()));
            } catch (Suspended waiting) {
                end = new BodyEnd.Waits();
            } catch (VirtualMachineError broken) {
                LOG.error("The virtual machine failed in tool {}", call.definition().name(), broken);
                end = new BodyEnd.Broken(broken);
            } finally {
                finish(end); // before the place is free: a fake time may wait for the call that takes it
                place.release();
            }
        };
    }

    /** A body cannot use the store while its server restarts; it did not answer, and is entered again when the store works. */
    private BodyEnd end(Callable<@Nullable Object> code) {
        var failure = new AtomicReference<@Nullable JournalException>();
        BodyRunner.Ended ended = BodyRunner.run(call.definition(), token(), () -> {
            try {
                return code.call();
            } catch (JournalException e) {
                failure.set(e.retryable() ? e : null);
                throw e;
            }
        });
        JournalException failed = failure.get();
        return failed == null ? new BodyEnd.Answered(ended) : new BodyEnd.StoreFailed(failed);
    }

    private void finish(BodyEnd end) {
        Abandoned left;
        lock.lock();
        try {
            ended = end;
            left = abandoned;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (left != null) {
            left.ended(call.definition().name(), end);
        }
    }

    private void stop(Stop why) {
        lock.lock();
        try {
            if (stop != null || ended != null) {
                return;
            }
            stop = why;
            grace = call.resources().time().after(GRACE, this::endGrace);
        } finally {
            lock.unlock();
        }
        shield.interrupt();
    }

    private void endGrace() {
        lock.lock();
        try {
            graceOver = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void cancelGrace() {
        lock.lock();
        try {
            if (grace != null) {
                grace.cancel();
            }
        } finally {
            lock.unlock();
        }
    }
}
