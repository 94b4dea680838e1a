package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import java.util.ArrayList;
import java.util.List;

/** All that a store shows of a session, as text, so that a failed assertion shows the difference. Stateless. */
final class Picture {

    private Picture() {}

    static String of(StoreDriver store, SessionId session) {
        SessionHead head = store.head(session).orElse(null);
        if (head == null) {
            return session + " is not there " + store.waiting(session) + store.messages(session, 0, ALL)
                    + store.turns(session, 0, ALL);
        }
        List<String> lines = new ArrayList<>();
        lines.add(head.toString());
        for (TurnRow turn : store.turns(session, 1, ALL)) {
            lines.add(turn.toString());
            lines.add("  arrival " + store.arrival(session, turn.input()));
            lines.add("  scope " + store.state(TurnScope.id(head.incarnation(), turn.turn()))
                    .map(scope -> of(store, scope))
                    .orElse("none"));
        }
        store.messages(session, 0, ALL).forEach(message -> lines.add(message.toString()));
        for (Arrived waiting : store.waiting(session)) {
            lines.add("waits " + waiting + " "
                    + store.arrival(session, waiting.arrival().id()).map(waiting::equals));
        }
        return String.join("\n", lines);
    }

    /** All that a store shows of all processes. */
    static String ofProcesses(StoreDriver store, SessionId... sessions) {
        List<String> lines = new ArrayList<>();
        StoreDriver processes = store;
        for (ProcessRow row : processes.processes(0, ALL)) {
            lines.add(row.id() + " at " + row.place() + " " + row.startedAt() + " to " + row.endedAt() + " "
                    + of(store, row.scope()) + " watched by " + processes.watchers(row.id())
                    + " events " + processes.events(row.id(), 0, ALL));
        }
        for (SessionId session : sessions) {
            lines.add(session + " may handle "
                    + processes.processes(session, 0, ALL).stream().map(ProcessRow::id).toList());
        }
        return String.join("\n", lines);
    }

    /** A scope without its owner, which differs between stores; the fence is compared instead. */
    private static String of(StoreDriver journal, ScopeState scope) {
        return scope.status() + " fence " + scope.fence().value() + " input " + scope.input() + " result "
                + scope.result() + " wakes " + scope.wakeAt() + " effects "
                + sorted(journal.effects(scope.id()))
                + " waits " + sorted(journal.waits(scope.id())) + " late "
                + sorted(journal.lateResults(scope.id()));
    }

    /** Sorts the rows, because a journal may list them in any order. */
    private static List<String> sorted(List<?> rows) {
        return rows.stream().map(Object::toString).sorted().toList();
    }
}
