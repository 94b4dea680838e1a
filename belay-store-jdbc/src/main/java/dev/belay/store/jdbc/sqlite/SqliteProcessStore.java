package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.effect.ScopeInput;
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
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.store.jdbc.SqliteJournal;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.store.jdbc.sqlite.ProcessStatements.Begun;
import dev.belay.store.jdbc.sqlite.ProcessStatements.Left;
import dev.belay.store.jdbc.sqlite.ProcessStatements.Signalled;
import dev.belay.store.jdbc.sqlite.ProcessStatements.Started;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Processes in the file of a {@link SqliteJournal}, written by its thread and in its commits. Thread-safe. */
final class SqliteProcessStore implements ProcessStore {

    private final SqliteJournal journal;
    private final OpenFile store;
    private final ProcessStatements statements;

    SqliteProcessStore(SqliteJournal journal) {
        this.journal = journal;
        store = journal.store();
        statements = new ProcessStatements(store.writes());
    }

    @Override
    public Starting start(NewProcess process, List<NewProcess.Grant> grants, boolean take, Instant at) {
        ScopeInput input = ProcessScope.input(process);
        var begun = new Begun(process, List.copyOf(grants), input, input.value().text(), input.hash(),
                store.draw(Incarnation::random), take, Moments.text(at));
        return switch (store.write("start-process " + process.id(), begun.value().length(),
                db -> statements.start(db, begun))) {
            case Started.New(long secret) -> new Starting.Started(take
                    ? new Claim(ProcessScope.id(process.id()), input, 1, begun.incarnation(), secret, 1, null)
                    : null);
            case Started.Known known -> new Starting.Known();
            case Started.Conflict(SqliteProcesses.Raw row) ->
                new Starting.Conflict(row.scope().scopeInput());
        };
    }

    @Override
    public boolean grant(ProcessId process, NewProcess.Grant grant, Instant at) {
        String now = Moments.text(at);
        return store.write("grant-process " + process + " " + grant.session(), 0,
                db -> statements.grant(db, process.value(), grant, now));
    }

    @Override
    public boolean isGranted(ProcessId process, SessionId session) {
        return store.read(db -> SqliteProcesses.isGranted(db, process.value(), session.value()));
    }

    @Override
    public Telling tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at) {
        String payload = event.payload().text();
        String now = Moments.text(at);
        return store.write("event " + process + " " + event.key(), payload.length(),
                db -> statements.tell(db, claim, process.value(), event, payload, now));
    }

    @Override
    public Telling tell(ProcessId process, ProcessEvent.Draft event, Instant at) {
        String payload = event.payload().text();
        String now = Moments.text(at);
        return store.write("event " + process + " " + event.key(), payload.length(),
                db -> statements.tell(db, process.value(), event, payload, now));
    }

    @Override
    public List<ProcessEvent> events(ProcessId process, long after, int most) {
        return store.read(db -> SqliteProcesses.events(db, process.value(), after, Math.max(0, most)))
                .stream()
                .map(SqliteProcesses.Event::event)
                .toList();
    }

    @Override
    public Signalling signal(ProcessId process, NewSignal signal, boolean take, Instant at) {
        String sent = OutcomeJson.of(signal.resolution()).text();
        String now = Moments.text(at);
        Signalled signalled = store.write("signal " + process, sent.length(),
                db -> statements.signal(db, process.value(), signal, sent, take, now));
        return switch (signalled.number()) {
            case -1 -> new Signalling.Ended();
            case 0 -> new Signalling.Known();
            default -> new Signalling.Kept(signal.wait(signalled.number()),
                    SqliteJournal.claim(signalled.woken()));
        };
    }

    @Override
    public boolean watch(ProcessId process, String token, Instant at) {
        return store.write("watch " + process, token.length(),
                db -> statements.watch(db, process.value(), token));
    }

    @Override
    public List<String> watchers(ProcessId process) {
        return store.read(db -> SqliteProcesses.watchers(db, process.value()));
    }

    @Override
    public Ended end(Claim claim, ProcessEnding ending, Instant at) {
        Left left = left(ending, at);
        return store.write("end-process " + ending.process(), left.result().size(),
                db -> statements.end(db, claim, left));
    }

    @Override
    public Ended abandon(ProcessEnding ending, Instant at) {
        Left left = left(ending, at);
        return store.write("abandon-process " + ending.process(), left.result().size(),
                db -> statements.abandon(db, left));
    }

    private Left left(ProcessEnding ending, Instant at) {
        return new Left(ending, journal.stored(ending.result(), at), ending.notice().content().text(),
                Moments.text(at));
    }

    @Override
    public Optional<ProcessRow> process(ProcessId process) {
        return Optional.ofNullable(store.read(db -> SqliteProcesses.row(db, process.value())))
                .map(SqliteProcesses.Raw::row);
    }

    @Override
    public List<ProcessRow> processes(long after, int most) {
        return store.read(db -> SqliteProcesses.list(db, after, Math.max(0, most)))
                .stream()
                .map(SqliteProcesses.Raw::row)
                .toList();
    }

    @Override
    public List<ProcessRow> processes(SessionId session, long after, int most) {
        return store.read(db -> SqliteProcesses.granted(db, session.value(), after, Math.max(0, most)))
                .stream()
                .map(SqliteProcesses.Raw::row)
                .toList();
    }
}
