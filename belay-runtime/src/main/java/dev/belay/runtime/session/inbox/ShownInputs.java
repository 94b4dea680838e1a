package dev.belay.runtime.session.inbox;

import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The inputs that a turn has shown to a model since it was entered: they cannot be withdrawn any more. Thread-safe; ordered by the
 * session's lock.
 */
public final class ShownInputs {

    private final SessionLocks locks;
    private final SessionId session;
    /** Few turns show another input than their own. */
    private volatile Set<String> shown = Set.of();

    ShownInputs(SessionLocks locks, SessionId session) {
        this.locks = locks;
        this.session = session;
    }

    /** Takes what waits, to show it to a model. */
    public List<Arrival> show(Supplier<List<Arrival>> waiting) {
        return locks.alone(session, () -> {
            List<Arrival> taken = waiting.get();
            if (!taken.isEmpty()) {
                change(taken, Set::addAll);
            }
            return taken;
        });
    }

    /** The model has not answered: the next question shows what still waits then. */
    public void unshow(List<Arrival> taken) {
        if (!taken.isEmpty()) {
            change(taken, Set::removeAll);
        }
    }

    private synchronized void change(List<Arrival> taken, BiConsumer<Set<String>, List<String>> how) {
        Set<String> changed = new HashSet<>(shown);
        how.accept(changed, taken.stream().map(Arrival::id).toList());
        shown = changed;
    }

    /** Whether a model is being asked with an arrival, or was. */
    boolean has(String arrival) {
        return shown.contains(arrival);
    }
}
