package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ProcessRows.GRANTS;
import static dev.belay.runtime.store.rows.ProcessRows.PROCESSES;
import static dev.belay.runtime.store.rows.ProcessRows.WATCHERS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ProcessRows.Event;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.ProcessRows.ProcessHead;
import dev.belay.runtime.store.rows.ProcessRows.Watcher;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rows of processes say to readers. */
public final class ProcessReads {

    private ProcessReads() {}

    /** Whether a session may handle a process. */
    public static Operation<Boolean> isGranted(ProcessId process, SessionId session) {
        return Operation.reading(rows -> rows.add(Selector.one(GRANTS, process.value(), session.value())),
                unit -> unit.get(GRANTS, process.value(), session.value()) != null);
    }

    /** Events of a process behind a place. */
    public static Operation<List<ProcessEvent>> events(ProcessId process, long after, int most) {
        Selector<Event> events = new Selector.Found<>(Index.TOLD, process.value(), after, null, null,
                Math.max(0, most));
        return Operation.reading(rows -> rows.add(events),
                unit -> unit.list(events).stream().map(Event::event).toList());
    }

    /** Keys of waits that are to be settled, in no particular order; none once the process has ended. */
    public static Operation<List<String>> watchers(ProcessId process) {
        Selector<Watcher> watchers = Selector.of(WATCHERS, process.value());
        return Operation.reading(rows -> rows.add(watchers),
                unit -> unit.list(watchers).stream().map(Watcher::token).toList());
    }

    /** A process; empty if there is none. */
    public static Operation<Optional<ProcessRow>> process(ProcessId process) {
        return new Operation<>(null, 0, rows -> {
            PauseRules.selectAll(rows);
            select(rows, process.value());
        }, (unit, rows) -> StoredResults.selectContentOf(unit, rows, scope(process.value())),
                unit -> rows(unit, Stream.of(process.value())).stream().findFirst());
    }

    /** Processes in the order of their starts, behind a place. This and every other list shows one moment. */
    public static Operation<List<ProcessRow>> processes(long after, int most) {
        Selector<ProcessHead> started = Selector.found(Index.STARTED, after, null, Math.max(0, most));
        return new Operation<>(null, 0, rows -> {
            PauseRules.selectAll(rows);
            rows.add(started);
        }, (unit, rows) -> unit.list(started).forEach(row -> {
            select(rows, row.id());
            StoredResults.selectContent(rows, row.output());
        }), unit -> rows(unit, unit.list(started).stream().map(ProcessHead::id)));
    }

    /**
     * Those that a session may handle. Their rows name the content of their results, so that the names are read before: until they are
     * those of the same moment.
     */
    public static List<ProcessRow> ofSession(Commits store, SessionId session, long after, int most) {
        Selector<Grant> granted = new Selector.Found<>(Index.GRANTED, session.value(), after, null, null,
                Math.max(0, most));
        List<Grant> known = store
                .read(Operation.reading(rows -> rows.add(granted), unit -> unit.list(granted)));
        Optional<List<ProcessRow>> found = Optional.empty();
        while (found.isEmpty()) {
            List<Grant> before = known;
            var seen = new AtomicReference<>(before);
            found = store.read(new Operation<>(null, 0, rows -> {
                PauseRules.selectAll(rows);
                rows.add(granted);
                before.forEach(grant -> select(rows, grant.process()));
            }, (unit, rows) -> before
                    .forEach(grant -> StoredResults.selectContentOf(unit, rows, scope(grant.process()))),
                    unit -> {
                        seen.set(unit.list(granted));
                        return seen.get().equals(before)
                                ? Optional.of(rows(unit, before.stream().map(Grant::process)))
                                : Optional.empty();
                    }));
            known = seen.get();
        }
        return found.get();
    }

    /** Those that cannot go on by themselves, in the order of their names, behind one, or from the first on for null. */
    public static Operation<List<ProcessRow>> stuck(@Nullable ProcessId after, int most) {
        ScopeId place = after == null ? ProcessScope.BEFORE_ALL : ProcessScope.id(after);
        Selector<Scope> stuck = Selector.found(Index.STUCK_NAMES, place.value(), null, Math.max(0, most));
        return new Operation<>(null, 0, rows -> {
            PauseRules.selectAll(rows);
            rows.add(stuck);
        }, (unit, rows) -> ids(unit, stuck).forEach(id -> select(rows, id)),
                unit -> rows(unit, ids(unit, stuck)));
    }

    private static Stream<String> ids(Unit unit, Selector<Scope> stuck) {
        return unit.list(stuck)
                .stream()
                .map(row -> new ScopeId(row.id()))
                .filter(ProcessScope::isProcess)
                .map(scope -> ProcessScope.process(scope).value());
    }

    private static String scope(String process) {
        return ProcessScope.id(new ProcessId(process)).value();
    }

    private static void select(Collection<Selector<?>> rows, String process) {
        rows.add(Selector.one(PROCESSES, process));
        ScopeRules.selectWhole(rows, scope(process));
        StoredResults.select(rows, scope(process));
        OperatorReads.selectActive(rows, scope(process));
    }

    private static List<ProcessRow> rows(Unit unit, Stream<String> processes) {
        List<Pause> pauses = PauseRules.inForce(unit);
        return processes.map(id -> unit.get(PROCESSES, id))
                .filter(Objects::nonNull)
                .map(row -> row(unit, row, pauses))
                .toList();
    }

    private static ProcessRow row(Unit unit, ProcessRows.ProcessHead row, List<Pause> pauses) {
        Scope scope = unit.get(SCOPES, scope(row.id()));
        if (scope == null) {
            throw JournalException.corrupt("the process " + row.id() + " has no scope", null);
        }
        return new ProcessRow(new ProcessId(row.id()), row.place(), ScopeReads.state(unit, scope),
                scope.incarnation(), row.startedAt(), row.endedAt(),
                row.endedAt() == null ? OperatorReads.active(unit, scope, pauses) : null);
    }
}
