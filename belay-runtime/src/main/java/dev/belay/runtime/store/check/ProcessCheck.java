package dev.belay.runtime.store.check;

import static dev.belay.runtime.store.rows.ProcessRows.EVENTS;
import static dev.belay.runtime.store.rows.ProcessRows.GRANTS;
import static dev.belay.runtime.store.rows.ProcessRows.PROCESSES;
import static dev.belay.runtime.store.rows.ProcessRows.WATCHERS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;

import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.rows.ProcessRows.Event;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.ProcessRows.ProcessHead;
import dev.belay.runtime.store.rows.ProcessRows.Watcher;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks at a process: its head and scope, its events and watchers, and the sessions that may handle it.
 *
 * @param id of the process
 */
record ProcessCheck(String id) implements StoreCheck.Part {

    private String scope() {
        return ProcessScope.id(new ProcessId(id)).value();
    }

    @Override
    public void first(Collection<Selector<?>> rows) {
        rows.add(Selector.one(PROCESSES, id));
        rows.add(Selector.one(SCOPES, scope()));
        rows.add(events());
        rows.add(watchers());
        rows.add(grants());
    }

    private Selector<Event> events() {
        return Selector.of(EVENTS, id);
    }

    private Selector<Watcher> watchers() {
        return Selector.of(WATCHERS, id);
    }

    private Selector<Grant> grants() {
        return Selector.of(GRANTS, id);
    }

    @Override
    public void second(Unit unit, Collection<Selector<?>> rows) {
        unit.list(grants()).forEach(grant -> rows.add(Selector.one(SESSIONS, grant.session())));
    }

    @Override
    public void look(Unit unit, FoundInconsistencies found) {
        ProcessHead head = unit.get(PROCESSES, id);
        if (head == null) {
            return;
        }
        Scope scope = unit.get(SCOPES, scope());
        found.require(scope != null, PROCESSES, head, "its scope is missing");
        found.require(scope == null || (scope.status() == Status.ENDED) == (head.endedAt() != null),
                PROCESSES,
                head, "its scope is " + (scope == null ? "missing" : scope.status()) + " and its end "
                        + head.endedAt());
        List<Event> events = unit.list(events());
        found.requireSame(head.events(), events.size(), PROCESSES, head, "events");
        found.requireSame(head.watchers(), unit.list(watchers()).size(), PROCESSES, head, "watchers");
        Set<Long> places = new HashSet<>();
        for (Event event : events) {
            long place = event.event().place();
            found.require(place >= 1 && place <= head.events() && places.add(place), EVENTS, event,
                    "its place " + place + " is taken, or beyond the last one");
        }
        for (Grant grant : unit.list(grants())) {
            found.require(unit.get(SESSIONS, grant.session()) != null, GRANTS, grant,
                    "its session is missing");
            found.requireSame(grant.place(), head.place(), GRANTS, grant, "as the place of its process");
        }
    }
}
