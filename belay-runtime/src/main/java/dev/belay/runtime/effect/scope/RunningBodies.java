package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.scope.ResourceQueues.Ticket.Holder;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The bodies that run in this process. A body may outlive the entry and the claim that have started it; the next entry finds it here
 * and waits, so that two bodies of one effect never overlap. Thread-safe.
 */
public final class RunningBodies {

    private final Map<Holder, Running> running = new ConcurrentHashMap<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Map<Object, Runnable> holders = new ConcurrentHashMap<>();

    /**
     * A body that runs.
     *
     * @param what its kind or tool
     * @param atEnd the actions to run at its end
     * @param thread its own thread, or null if it runs on that of its scope
     */
    private record Running(String what, Set<Runnable> atEnd, @Nullable Thread thread) {}

    /** A body begins on this thread; whether to {@link #end} the thread with it. */
    boolean begin(Holder body, String what) {
        running.putIfAbsent(body, new Running(what, Set.of(), null));
        return threads.add(Thread.currentThread());
    }

    /** A body that has begun has a thread of its own. */
    void on(Thread thread, Holder body, String what) {
        threads.add(thread);
        running.computeIfPresent(body, (same, known) -> new Running(what, known.atEnd, thread));
    }

    void end(Holder body, boolean thread) {
        if (thread) {
            threads.remove(Thread.currentThread());
        }
        Running known = running.remove(body);
        if (known != null) {
            if (known.thread != null) {
                threads.remove(known.thread);
            }
            if (!known.atEnd.isEmpty()) {
                known.atEnd.forEach(Runnable::run);
            }
        }
    }

    boolean contains(Holder body) {
        return running.containsKey(body);
    }

    /** A body holds a resource, and is stopped by this if its process may lose that; the answer is called when it has ended. */
    Runnable holding(Runnable stop) {
        var key = new Object();
        holders.put(key, stop);
        return () -> holders.remove(key);
    }

    /** Stops all bodies that hold resources. */
    public void stopHolders() {
        holders.values().forEach(Runnable::run);
    }

    /** Whether a body runs on a thread. */
    public boolean isBody(Thread thread) {
        return threads.contains(thread);
    }

    /** What runs, by scope and key. */
    public Map<Holder, String> working() {
        Map<Holder, String> all = new HashMap<>();
        running.forEach((body, known) -> all.put(body, known.what));
        return all;
    }

    /** Runs an action when a body ends, once however often it is given; false if the body does not run. */
    boolean onEnd(Holder body, Runnable action) {
        return running.computeIfPresent(body, (same, known) -> {
            Set<Runnable> more = new LinkedHashSet<>(known.atEnd);
            more.add(action);
            return new Running(known.what, more, known.thread);
        }) != null;
    }
}
