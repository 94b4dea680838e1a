package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.ScopeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The queues of calls in this process for resources, first come first served. The store decides between processes; the queues decide
 * between calls of one process, and let them wait without a thread.
 *
 * <p>Concurrency: thread-safe. Wake-ups run without the lock.
 */
public final class ResourceQueues {

    private final Map<String, Deque<Ticket>> queues = new HashMap<>();
    private final Map<Ticket.Holder, Ticket> tickets = new HashMap<>();

    /** A place in a queue. */
    public static final class Ticket {

        /**
         * The effect that has a place.
         *
         * @param scope the scope
         * @param key of the effect within the scope, with its path
         */
        public record Holder(ScopeId scope, String key) {}

        private final String resource;
        private final Holder holder;
        private volatile Runnable wake;
        private volatile boolean first;

        private Ticket(String resource, Holder holder, Runnable wake) {
            this.resource = resource;
            this.holder = holder;
            this.wake = wake;
        }

        /** Whether it is the first in its queue. */
        boolean isFirst() {
            return first;
        }
    }

    /** The place of a holder; a new holder gets the place at the end of the queue. */
    synchronized Ticket enter(String resource, Ticket.Holder holder, Runnable wake) {
        Ticket ticket = tickets.get(holder);
        if (ticket != null && ticket.resource.equals(resource)) {
            ticket.wake = wake;
            return ticket;
        }
        ticket = new Ticket(resource, holder, wake);
        Deque<Ticket> queue = queues.computeIfAbsent(resource, any -> new ArrayDeque<>());
        ticket.first = queue.isEmpty();
        queue.addLast(ticket);
        tickets.put(holder, ticket);
        return ticket;
    }

    /** Gives a place up and wakes the holder of the next. */
    void leave(Ticket ticket) {
        Runnable woken = () -> {};
        synchronized (this) {
            if (!tickets.remove(ticket.holder, ticket)) {
                return;
            }
            Deque<Ticket> queue = queues.get(ticket.resource);
            if (queue == null) {
                return;
            }
            queue.remove(ticket);
            Ticket next = queue.peekFirst();
            if (next == null) {
                queues.remove(ticket.resource);
            } else if (!next.first) {
                next.first = true;
                woken = next.wake;
            }
        }
        woken.run();
    }
}
