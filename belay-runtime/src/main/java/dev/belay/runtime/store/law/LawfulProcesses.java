package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ProcessRows.GRANTS;
import static dev.belay.runtime.store.rows.ProcessRows.PROCESSES;
import static dev.belay.runtime.store.rows.ProcessRows.WATCHERS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.ProcessStore;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Pause;
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
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Processes over rows. Thread-safe. */
final class LawfulProcesses implements ProcessStore {

    private final LawfulJournal journal;
    private final ProcessRules rules;

    LawfulProcesses(LawfulJournal journal) {
        this.journal = journal;
        rules = new ProcessRules(journal.rules());
    }

    @Override
    public Starting start(NewProcess process, List<NewProcess.Grant> grants, boolean take, Instant at) {
        return journal.apply(rules.start(process, grants, take, journal.drawIncarnation(), at));
    }

    @Override
    public boolean grant(ProcessId process, NewProcess.Grant grant, Instant at) {
        return journal.apply(rules.grant(process, grant, at));
    }

    @Override
    public boolean isGranted(ProcessId process, SessionId session) {
        return journal.read(Operation.reading(
                rows -> rows.add(Selector.one(GRANTS, process.value(), session.value())),
                unit -> unit.get(GRANTS, process.value(), session.value()) != null));
    }

    @Override
    public Telling tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at) {
        return journal.apply(rules.tell(claim, process, event, at));
    }

    @Override
    public Telling tell(ProcessId process, ProcessEvent.Draft event, Instant at) {
        return journal.apply(rules.tell(process, event, at));
    }

    @Override
    public List<ProcessEvent> events(ProcessId process, long after, int most) {
        Selector<Event> events = new Selector.Found<>(Index.TOLD, process.value(), after, null, null,
                Math.max(0, most));
        return journal.read(Operation.reading(rows -> rows.add(events),
                unit -> unit.list(events).stream().map(Event::event).toList()));
    }

    @Override
    public Signalling signal(ProcessId process, NewSignal signal, boolean take, Instant at) {
        Optional<Signalling> answer = Optional.empty();
        while (answer.isEmpty()) {
            answer = journal.apply(rules.signal(process, signal, take, at));
        }
        return answer.get();
    }

    @Override
    public boolean watch(ProcessId process, String token, Instant at) {
        return journal.apply(rules.watch(process, token));
    }

    @Override
    public List<String> watchers(ProcessId process) {
        Selector<Watcher> watchers = Selector.of(WATCHERS, process.value());
        return journal.read(Operation.reading(rows -> rows.add(watchers),
                unit -> unit.list(watchers).stream().map(Watcher::token).toList()));
    }

    @Override
    public Ended end(Claim claim, ProcessEnding ending, Instant at) {
        return journal.apply(rules.end(claim, ending, at));
    }

    @Override
    public Ended abandon(ProcessEnding ending, Instant at) {
        return journal.apply(rules.abandon(ending, at));
    }

    @Override
    public Optional<ProcessRow> process(ProcessId process) {
        return journal.read(new Operation<>(null, 0, rows -> {
            PauseRules.selectAll(rows);
            select(rows, process.value());
        }, (unit, rows) -> StoredResults.selectContentOf(unit, rows, scope(process.value())),
                unit -> rows(unit, Stream.of(process.value())).stream().findFirst()));
    }

    @Override
    public List<ProcessRow> processes(long after, int most) {
        Selector<ProcessHead> started = Selector.found(Index.STARTED, after, null, Math.max(0, most));
        return journal.read(new Operation<>(null, 0, rows -> {
            PauseRules.selectAll(rows);
            rows.add(started);
        }, (unit, rows) -> unit.list(started).forEach(row -> {
            select(rows, row.id());
            StoredResults.selectContent(rows, row.output());
        }), unit -> rows(unit, unit.list(started).stream().map(ProcessHead::id))));
    }

    /** The rows of a process name the content of its result, so that the names are read before: until they are those of the same moment. */
    @Override
    public List<ProcessRow> processes(SessionId session, long after, int most) {
        Selector<Grant> granted = new Selector.Found<>(Index.GRANTED, session.value(), after, null, null,
                Math.max(0, most));
        List<Grant> known = journal
                .read(Operation.reading(rows -> rows.add(granted), unit -> unit.list(granted)));
        Optional<List<ProcessRow>> found = Optional.empty();
        while (found.isEmpty()) {
            List<Grant> before = known;
            var seen = new AtomicReference<>(before);
            found = journal.read(new Operation<>(null, 0, rows -> {
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

    @Override
    public List<ProcessRow> stuck(@Nullable ProcessId after, int most) {
        ScopeId place = after == null ? ProcessScope.BEFORE_ALL : ProcessScope.id(after);
        Selector<Scope> stuck = Selector.found(Index.STUCK_NAMES, place.value(), null, Math.max(0, most));
        return journal.read(new Operation<>(null, 0, rows -> {
            PauseRules.selectAll(rows);
            rows.add(stuck);
        }, (unit, rows) -> ids(unit, stuck).forEach(id -> select(rows, id)),
                unit -> rows(unit, ids(unit, stuck))));
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
