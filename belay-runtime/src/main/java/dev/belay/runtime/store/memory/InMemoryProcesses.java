package dev.belay.runtime.store.memory;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
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
import dev.belay.runtime.store.journal.Journal.Submission;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Keeps processes in the memory of an {@link InMemoryStore}. Thread-safe, as that is. */
final class InMemoryProcesses implements ProcessStore {

    private final SharedMemory sessions;
    private final InMemoryJournal journal;

    InMemoryProcesses(SharedMemory sessions, InMemoryJournal journal) {
        this.sessions = sessions;
        this.journal = journal;
    }

    @Override
    public Starting start(NewProcess process, List<NewProcess.Grant> grants, boolean take, Instant at) {
        return journal.transact("start-process " + process.id(), tx -> {
            ScopeId scope = ProcessScope.id(process.id());
            MemoryProcess found = sessions.process(process.id());
            if (found != null && !found.isSameAs(process)) {
                return new Starting.Conflict(journal.state(scope).orElseThrow().input());
            }
            if (found != null) {
                grants.forEach(grant -> grant(tx, found, grant, at));
                return new Starting.Known();
            }
            if (!(tx.submit(scope, ProcessScope.input(process),
                    take) instanceof Submission.Created created)) {
                throw new IllegalStateException("there is a scope " + scope
                        + " already, which no process has made");
            }
            MemoryProcess made = sessions.add(tx, process, tx.incarnation(scope), at);
            grants.forEach(grant -> grant(tx, made, grant, at));
            return new Starting.Started(created.claim());
        });
    }

    @Override
    public boolean grant(ProcessId process, NewProcess.Grant grant, Instant at) {
        return journal.transact("grant-process " + process + " " + grant.session(), tx -> {
            MemoryProcess found = sessions.process(process);
            if (found != null) {
                grant(tx, found, grant, at);
            }
            return found != null;
        });
    }

    private void grant(MemoryTransaction tx, MemoryProcess process, NewProcess.Grant grant, Instant at) {
        MemorySession session = sessions.find(grant.session());
        if (session == null) {
            session = MemorySession.empty(grant.session(), grant.ifNew(), at);
            sessions.add(tx, session);
        }
        process.grant(tx, session);
    }

    @Override
    public boolean isGranted(ProcessId process, SessionId session) {
        return journal.look(() -> {
            MemoryProcess found = sessions.process(process);
            MemorySession of = sessions.find(session);
            return found != null && of != null && found.isGrantedTo(of.incarnation());
        });
    }

    @Override
    public Telling tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at) {
        return journal.transact("event " + process + " " + event.key(), tx -> {
            MemoryProcess found = sessions.process(process);
            if (found == null || !isHeld(tx, claim, process)) {
                return Telling.FENCED;
            }
            Telling told = tell(tx, found, event, at);
            if (told == Telling.ADDED) {
                tx.touch(claim.scope());
            }
            return told;
        });
    }

    @Override
    public Telling tell(ProcessId process, ProcessEvent.Draft event, Instant at) {
        return journal.transact("event " + process + " " + event.key(), tx -> {
            MemoryProcess found = sessions.process(process);
            if (found == null) {
                return Telling.UNKNOWN;
            }
            return found.hasEnded() && found.event(event.key()) == null
                    ? Telling.ENDED
                    : tell(tx, found, event, at);
        });
    }

    private static Telling tell(MemoryTransaction tx, MemoryProcess process, ProcessEvent.Draft event,
            Instant at) {
        ProcessEvent known = process.event(event.key());
        if (known != null) {
            return event.isSameAs(known) ? Telling.KNOWN : Telling.CONFLICT;
        }
        process.tell(tx, event, at);
        return Telling.ADDED;
    }

    @Override
    public List<ProcessEvent> events(ProcessId process, long after, int most) {
        return journal.look(() -> {
            MemoryProcess found = sessions.process(process);
            return found == null ? List.of() : found.events(after, Math.max(0, most));
        });
    }

    @Override
    public Signalling signal(ProcessId process, NewSignal signal, boolean take, Instant at) {
        return journal.transact("signal " + process, tx -> {
            MemoryProcess found = sessions.process(process);
            if (found == null || found.hasEnded()) {
                return new Signalling.Ended();
            }
            ScopeId scope = ProcessScope.id(process);
            WaitName once = signal.once();
            if (once != null && tx.isSettled(scope, once)) {
                return new Signalling.Known();
            }
            int number = NewSignal.next(some -> tx.isSettled(scope, signal.wait(some)));
            if (once != null) {
                tx.settle(scope, once, NewSignal.got(number), false);
            }
            return new Signalling.Kept(signal.wait(number),
                    tx.settle(scope, signal.wait(number), signal.resolution(), take));
        });
    }

    @Override
    public boolean watch(ProcessId process, String token, Instant at) {
        return journal.transact("watch " + process, tx -> {
            MemoryProcess found = sessions.process(process);
            boolean open = found != null && !found.hasEnded();
            if (found != null && open) {
                found.watch(tx, token);
            }
            return open;
        });
    }

    @Override
    public List<String> watchers(ProcessId process) {
        return journal.look(() -> {
            MemoryProcess found = sessions.process(process);
            return found == null ? List.of() : found.watchers();
        });
    }

    @Override
    public Ended end(Claim claim, ProcessEnding ending, Instant at) {
        return journal.transact("end-process " + ending.process(),
                tx -> end(tx, ending, at, () -> isHeld(tx, claim, ending.process()),
                        () -> tx.end(claim, ending.result(), at)));
    }

    private static boolean isHeld(MemoryTransaction tx, Claim claim, ProcessId process) {
        return claim.scope().equals(ProcessScope.id(process)) && tx.holds(claim);
    }

    @Override
    public Ended abandon(ProcessEnding ending, Instant at) {
        ScopeId scope = ProcessScope.id(ending.process());
        return journal.transact("abandon-process " + ending.process(),
                tx -> end(tx, ending, at, () -> tx.isStuck(scope),
                        () -> tx.abandon(scope, ending.result(), at)));
    }

    private Ended end(MemoryTransaction tx, ProcessEnding ending, Instant at, BooleanSupplier mayEnd,
            BooleanSupplier endScope) {
        MemoryProcess process = sessions.process(ending.process());
        if (process == null || !mayEnd.getAsBoolean()) {
            return Ended.FENCED;
        }
        if (process.watchers().size() != ending.watchers()) {
            return Ended.WATCHED;
        }
        if (!endScope.getAsBoolean()) {
            return Ended.FENCED;
        }
        process.end(tx, at);
        process.grants().values().forEach(id -> {
            MemorySession session = sessions.find(id);
            if (session != null && session.arrival(ending.notice().id()) == null) {
                session.arrive(tx, ending.notice(), at);
            }
        });
        return Ended.DONE;
    }

    @Override
    public Optional<ProcessRow> process(ProcessId process) {
        return journal.look(() -> Optional.ofNullable(sessions.process(process)).map(this::row));
    }

    @Override
    public List<ProcessRow> processes(long after, int most) {
        return listed(after, most, process -> true);
    }

    @Override
    public List<ProcessRow> processes(SessionId session, long after, int most) {
        return listed(after, most, process -> {
            MemorySession of = sessions.find(session);
            return of != null && process.isGrantedTo(of.incarnation());
        });
    }

    private List<ProcessRow> listed(long after, int most, Predicate<MemoryProcess> which) {
        return journal.look(() -> sessions.processes(after)
                .filter(which)
                .limit(Math.max(0, most))
                .map(this::row)
                .toList());
    }

    private ProcessRow row(MemoryProcess process) {
        return process.row(journal.state(ProcessScope.id(process.id())).orElseThrow());
    }
}
