package dev.belay.runtime.session.stream;

import dev.belay.runtime.policy.ShownText;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.SessionId;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens in all sessions.
 *
 * <p>Concurrency: a turn only puts an event into the queue of each listener. A thread of the listener, which exists while its queue is
 * not empty, delivers in order. A full queue drops its oldest event, and the listener is told how many. Thread-safe.
 */
public final class Listeners {

    /** More than a listener that works falls behind; each event may hold an answer. */
    static final int MOST_PENDING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");

    private final List<Queue> queues;

    /** Listeners of a runtime. */
    public Listeners(List<SessionEvents.Listener> listeners) {
        queues = listeners.stream().map(Queue::new).toList();
    }

    private record Told(SessionId session, TurnEvent event) {}

    /** Tells an event; text and reasoning come in pieces for readers of the session, and are left out. */
    void tell(SessionId session, TurnEvent event) {
        if (queues.isEmpty() || event instanceof TurnEvent.Text || event instanceof TurnEvent.Reasoning) {
            return;
        }
        var told = new Told(session, event);
        queues.forEach(queue -> queue.add(told));
    }

    private static final class Queue {

        private final SessionEvents.Listener listener;
        private final ArrayDeque<Told> pending = new ArrayDeque<>();
        private boolean delivering;
        private long missed;

        Queue(SessionEvents.Listener listener) {
            this.listener = listener;
        }

        synchronized void add(Told told) {
            if (pending.size() == MOST_PENDING) {
                pending.poll();
                missed++;
            }
            pending.add(told);
            if (!delivering) {
                delivering = true;
                Thread.ofVirtual().name("belay-listener").start(this::run);
            }
        }

        private synchronized @Nullable Told next() {
            Told first = pending.peek();
            if (first != null && missed > 0) {
                long before = missed;
                missed = 0;
                return new Told(first.session(), new TurnEvent.Gap(before));
            }
            pending.poll();
            delivering = first != null;
            return first;
        }

        private void run() {
            for (Told told = next(); told != null; told = next()) {
                try {
                    listener.on(told.session(), told.event());
                } catch (Throwable e) {
                    LOG.warn("A listener of all sessions threw at {} of session {}",
                            ShownText.escaped(told.event().toString()), told.session(), e);
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
    }
}
