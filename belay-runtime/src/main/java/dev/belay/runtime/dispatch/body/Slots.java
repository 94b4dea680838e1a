package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Places for running bodies.
 *
 * <p><b>Concurrency.</b> One lock. A call takes the places of all its caps at once or none of them, so that no call holds one
 * place while it waits for another. Whenever a place is free, waiters are looked at in the order in which they came. A waiter
 * that cannot go yet does not hold up another that needs other places. <b>Durability.</b> None: places are of this process.
 */
public final class Slots {

    private final CallCaps caps;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> taken = new HashMap<>();
    private final Set<Ticket> waiting = new LinkedHashSet<>();
    private Predicate<ScopeId> stops = scope -> false;

    public Slots(CallCaps caps) {
        this.caps = caps;
    }

    /** Stands in the queue for a place. */
    Ticket queue(String tool, ScopeId batch) {
        var ticket = new Ticket(needed(tool, batch), batch);
        if (ticket.needed.isEmpty()) {
            ticket.state = State.GRANTED;
            return ticket;
        }
        lock.lock();
        try {
            waiting.add(ticket);
            serve();
        } finally {
            lock.unlock();
        }
        return ticket;
    }

    /** Says which scopes stop: their calls get no place, and those that wait look again. */
    public void stop(Predicate<ScopeId> stopping) {
        lock.lock();
        try {
            stops = stopping;
            waiting.forEach(ticket -> ticket.changed.signalAll());
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Integer> needed(String tool, ScopeId batch) {
        if (caps.equals(CallCaps.NONE)) {
            return Map.of();
        }
        Map<String, Integer> needed = new HashMap<>();
        need(needed, "runtime", caps.runtime());
        need(needed, "batch " + batch, caps.batch());
        need(needed, "tool " + tool, caps.tools().getOrDefault(tool, Integer.MAX_VALUE));
        return needed;
    }

    private static void need(Map<String, Integer> needed, String place, int cap) {
        if (cap < Integer.MAX_VALUE) {
            needed.put(place, cap);
        }
    }

    private void serve() {
        List<Ticket> served = new ArrayList<>();
        for (Ticket ticket : waiting) {
            if (ticket.fits()) {
                ticket.needed.keySet().forEach(place -> taken.merge(place, 1, Integer::sum));
                ticket.state = State.GRANTED;
                ticket.changed.signalAll();
                served.add(ticket);
            }
        }
        served.forEach(waiting::remove);
    }

    private enum State {
        WAITING, GRANTED, CANCELLED, RELEASED
    }

    /** One call's place, or its turn in the queue. */
    final class Ticket {

        private final Map<String, Integer> needed;
        private final ScopeId batch;
        private final Condition changed = lock.newCondition();
        private State state = State.WAITING;

        private Ticket(Map<String, Integer> needed, ScopeId batch) {
            this.needed = needed;
            this.batch = batch;
        }

        private boolean fits() {
            for (Map.Entry<String, Integer> place : needed.entrySet()) {
                if (taken.getOrDefault(place.getKey(), 0) >= place.getValue()) {
                    return false;
                }
            }
            return true;
        }

        /** Waits for the place; false if the wait was cancelled. Throws if the host closes meanwhile. */
        boolean await() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (state == State.WAITING && !stops.test(batch)) {
                    changed.await();
                }
                if (stops.test(batch)) {
                    throw JournalException.closed();
                }
                return state == State.GRANTED;
            } finally {
                lock.unlock();
            }
        }

        /** Gives up waiting; does nothing to a place that was granted. */
        void cancel() {
            lock.lock();
            try {
                if (state == State.WAITING) {
                    state = State.CANCELLED;
                    waiting.remove(this);
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Gives the place back, or the wait up; the second time does nothing. */
        void release() {
            if (needed.isEmpty()) {
                return;
            }
            lock.lock();
            try {
                if (state == State.GRANTED) {
                    needed.keySet()
                            .forEach(place -> taken.computeIfPresent(place,
                                    (name, count) -> count == 1 ? null : count - 1));
                    serve();
                }
                waiting.remove(this);
                state = State.RELEASED;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
