package dev.belay.runtime.session.inbox;

import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The inputs that a turn has shown to a model since it was entered: they cannot be withdrawn any more. Thread-safe; ordered by the
 * session's lock.
 */
public final class ShownInputs {

    private final SessionLocks locks;
    private final SessionId session;
    private final Set<String> shown = ConcurrentHashMap.newKeySet();

    ShownInputs(SessionLocks locks, SessionId session) {
        this.locks = locks;
        this.session = session;
    }

    /** Takes what waits, to show it to a model. */
    public List<Arrival> show(Supplier<List<Arrival>> waiting) {
        return locks.alone(session, () -> {
            List<Arrival> taken = waiting.get();
            taken.forEach(arrival -> shown.add(arrival.id()));
            return taken;
        });
    }

    /** The model has not answered: the next question shows what still waits then. */
    public void unshow(List<Arrival> taken) {
        taken.forEach(arrival -> shown.remove(arrival.id()));
    }

    /** Whether a model is being asked with an arrival, or was. */
    boolean has(String arrival) {
        return shown.contains(arrival);
    }
}
