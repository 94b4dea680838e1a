package dev.belay.runtime.session.turn;

import dev.belay.runtime.session.inbox.SessionLocks;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What a turn has shown to a model in this entry: nobody takes it back any more. Thread-safe; ordered by the session's lock. */
public final class ShownInputs {

    private final SessionLocks locks;
    private final SessionId session;
    private final Set<String> shown = ConcurrentHashMap.newKeySet();

    ShownInputs(SessionLocks locks, SessionId session) {
        this.locks = locks;
        this.session = session;
    }

    /** Takes what waits, to show it to a model. */
    List<Arrival> show(Supplier<List<Arrival>> waiting) {
        return locks.alone(session, () -> {
            List<Arrival> taken = waiting.get();
            taken.forEach(arrival -> shown.add(arrival.id()));
            return taken;
        });
    }

    /** The model has not answered: it will be shown again, if it still waits then. */
    void unshow(List<Arrival> taken) {
        taken.forEach(arrival -> shown.remove(arrival.id()));
    }

    /** Whether a model is being asked with an arrival, or was. */
    public boolean has(String arrival) {
        return shown.contains(arrival);
    }
}
