package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.policy.ShownText;
import dev.belay.tool.ToolOutcome;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of one call on their way to the listener.
 *
 * <p><b>Concurrency.</b> A thread that tells an event only puts it into a queue under a monitor. Another thread, which exists while
 * the queue is not empty, delivers it: the events of a call keep their order, and a listener blocks only itself. Progress is
 * bounded: the oldest message is dropped, and the next message says how many were. <b>Durability.</b> None.
 */
final class CallEvents {

    /** More than a person reads: a body that reports in a tight loop must not fill the heap while its listener hangs. */
    static final int MOST_PENDING = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final DispatchListener listener;
    private final ThreadFactory threads;
    private final CallReference call;
    private final ArrayDeque<CallEvent> pending = new ArrayDeque<>(0);
    private int progress;
    private long dropped;
    private boolean delivering;

    CallEvents(DispatchListener listener, ThreadFactory threads, CallReference call) {
        this.listener = listener;
        this.threads = threads;
        this.call = call;
    }

    CallReference call() {
        return call;
    }

    void started() {
        tell(new CallEvent.Started(call));
    }

    void parked(@Nullable String announcement) {
        tell(new CallEvent.Parked(call, announcement));
    }

    void inDoubt(String doubt, boolean held) {
        tell(new CallEvent.InDoubt(call, doubt, held));
    }

    void finished(ToolOutcome outcome) {
        tell(new CallEvent.Finished(call, outcome));
    }

    /** Tells how an attempt ended, after its record was written. */
    void recorded(AttemptRecord attempted) {
        if (attempted instanceof AttemptRecord.Ended ended) {
            finished(ended.outcome());
        } else if (attempted instanceof AttemptRecord.Parked parked) {
            parked(parked.completion().announcement());
        } else if (attempted instanceof AttemptRecord.Asked) {
            parked("a person is asked whether " + call.tool() + " may run");
        }
    }

    void progress(String message) {
        if (toldAtOnce(new CallEvent.Progress(call, message, 0))) {
            return;
        }
        synchronized (this) {
            if (progress == MOST_PENDING) {
                dropOldest();
            }
            pending.add(new CallEvent.Progress(call, message, 0));
            progress++;
            deliver();
        }
    }

    private void dropOldest() {
        for (CallEvent event : pending) {
            if (event instanceof CallEvent.Progress) {
                pending.remove(event);
                progress--;
                dropped++;
                return;
            }
        }
    }

    private void tell(CallEvent event) {
        if (toldAtOnce(event)) {
            return;
        }
        synchronized (this) {
            pending.add(event);
            deliver();
        }
    }

    private boolean toldAtOnce(CallEvent event) {
        if (!listener.isPrompt()) {
            return listener.equals(DispatchListener.SILENT);
        }
        listener.on(event);
        return true;
    }

    private void deliver() {
        if (!delivering) {
            delivering = true;
            threads.newThread(this::run).start();
        }
    }

    private void run() {
        for (CallEvent event = next(); event != null; event = next()) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.warn("A listener threw at {}", ShownText.escaped(event.toString()), e);
                if (e instanceof VirtualMachineError) {
                    abandon();
                    throw e;
                }
            }
        }
    }

    private synchronized void abandon() {
        delivering = false;
    }

    private synchronized @Nullable CallEvent next() {
        CallEvent event = pending.poll();
        if (event == null) {
            delivering = false;
        }
        if (event instanceof CallEvent.Progress(CallReference of, String message, long none)) {
            progress--;
            long missed = dropped;
            dropped = 0;
            return new CallEvent.Progress(of, message, missed);
        }
        return event;
    }
}
