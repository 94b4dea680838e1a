package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.scope.ResourceQueues.Ticket.Holder;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bodies that run in this process. A body may outlive the entry and the claim that have started it; the next entry finds it here
 * and waits, so that two bodies of one effect never overlap. Thread-safe.
 */
final class RunningBodies {

    /** With the actions to run at its end. */
    private final Map<Holder, Set<Runnable>> running = new ConcurrentHashMap<>();

    void begin(Holder body) {
        running.putIfAbsent(body, Set.of());
    }

    void end(Holder body) {
        Set<Runnable> actions = running.remove(body);
        if (actions != null) {
            actions.forEach(Runnable::run);
        }
    }

    boolean contains(Holder body) {
        return running.containsKey(body);
    }

    /** Runs an action when a body ends, once however often it is given; false if the body does not run. */
    boolean onEnd(Holder body, Runnable action) {
        return running.computeIfPresent(body, (same, actions) -> {
            Set<Runnable> more = new LinkedHashSet<>(actions);
            more.add(action);
            return more;
        }) != null;
    }
}
