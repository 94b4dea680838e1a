package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessResult;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.law.OperatorReads.ActiveScope;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.runtime.store.law.ProcessRules;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes and answers for those that the store keeps. Starting and granting are one write each. Thread-safe.
 *
 * @param store keeps processes
 * @param host over the store's journal
 * @param settings names the bodies that can be started
 * @param time the host's
 * @param random for ids and incarnations; thread-safe
 * @param waits says what a process waits for, given the sessions whose pauses hold it
 * @param rests waits for processes that may rest
 */
public record KeptProcesses(Store store, JournalHost host, ProcessSettings settings, TimeSource time,
        RandomGenerator random, BiFunction<ActiveScope, List<String>, WaitsFor> waits, RestingScopes rests) {

    /**
     * Starts a process, or finds the process that was started with the same id and content.
     *
     * @param by the session whose call starts it, or null
     */
    public ProcessId start(ProcessStart start, @Nullable StartedBy by) {
        host.requireOpen();
        if (start.work() instanceof ProcessWork.Body(String name, Json input)) {
            settings.body(name);
        }
        Json content = Beginning.content(start);
        ProcessId given = start.id();
        ProcessId id = given == null ? new ProcessId(Incarnation.random(random).toString()) : given;
        List<NewProcess.Grant> grants = start.grants().stream().map(this::grant).toList();
        var process = new NewProcess(id, Incarnation.random(random), Beginning.hash(content),
                Beginning.content(content, settings.dispatcher().carriers().accepted(), by));
        switch (host.claiming(ProcessScope.id(id),
                () -> store.apply(store.processes().start(process, grants, host.hasRoom(), time.now())))) {
            case ProcessRules.Starting.Started(Claim claim) -> {
                if (claim != null) {
                    host.adopt(claim);
                }
            }
            case ProcessRules.Starting.Known known -> {
            }
            case ProcessRules.Starting.Conflict(ScopeInput recorded) -> throw new BelayException(
                    "input_conflict", "process " + id
                            + " was started before with another content; use another id, or the same content. Recorded: "
                            + RecordReader.field(recorded.value(), "start"));
        }
        return id;
    }

    /** Grants a process to one more session. */
    public void grant(ProcessId id, SessionId session) {
        if (!store.apply(store.processes().grant(id, grant(session), time.now()))) {
            throw ProcessFaults.unknown(id);
        }
    }

    private NewProcess.Grant grant(SessionId session) {
        return new NewProcess.Grant(session, Incarnation.random(random));
    }

    /** The row of a process; {@code unknown_process} if there is none. */
    public ProcessRow row(ProcessId id) {
        return store.read(ProcessReads.process(id)).orElseThrow(() -> ProcessFaults.unknown(id));
    }

    /** The state of a process; {@code unknown_process} if there is none. */
    public ProcessInfo info(ProcessId id) {
        return info(row(id));
    }

    /** Reads rows. */
    public List<ProcessInfo> infos(List<ProcessRow> rows) {
        return rows.stream().map(this::info).toList();
    }

    /** A row with an unreadable record is {@link ProcessWork.Unreadable}, so that an operator can abandon it. */
    private ProcessInfo info(ProcessRow row) {
        Json result = row.scope().result();
        try {
            Beginning beginning = Beginning.of(row.scope().input());
            return info(row, beginning.work(), beginning.recovery(),
                    result == null ? null : ProcessEnd.of(result),
                    ProcessScope.startedBy(row.scope().input()));
        } catch (BelayException unreadable) {
            return info(row, new ProcessWork.Unreadable(String.valueOf(unreadable.getMessage())),
                    Recovery.NEVER, null, List.of());
        }
    }

    private ProcessInfo info(ProcessRow row, ProcessWork work, Recovery recovery, @Nullable ProcessEnd end,
            List<String> sessions) {
        ScopeState scope = row.scope();
        return new ProcessInfo(row.id(), row.place(), work, recovery,
                end == null ? open(scope.status()) : end.status(), end, scope.cancelReason(),
                scope.stuckBecause(), row.startedAt(), row.endedAt(),
                row.active() == null
                        ? null
                        : waits.apply(row.active(), sessions));
    }

    private static ProcessStatus open(ScopeState.Status status) {
        return switch (status) {
            case READY, RUNNING -> ProcessStatus.RUNNING;
            case PARKED, STUCK, ENDED -> ProcessStatus.WAITING;
        };
    }

    /**
     * Waits until a process has ended or rests; empty if it goes on.
     *
     * @param most no longer than this, or null
     * @param known a rest with these waits is told already; null if none is
     */
    public Optional<ProcessResult> await(ProcessId id, @Nullable Duration most, @Nullable List<Wait> known)
            throws InterruptedException {
        var joined = rests.join(ProcessScope.id(id), most, known);
        ScopeState state = joined.state().orElseThrow(() -> ProcessFaults.unknown(id));
        List<Wait> waits = joined.waits();
        if (waits != null) {
            return Optional.of(new ProcessResult.Resting(id, waits, told -> rests.after("process " + id,
                    () -> await(id, null, told).orElseThrow(() -> ProcessFaults.unknown(id)))));
        }
        return state.isSettled() ? Optional.of(end(id, state)) : Optional.empty();
    }

    /** Waits for the end of a process, parked or not. */
    public ProcessEnd awaitEnd(ProcessId id) throws InterruptedException {
        return end(id, host.join(ProcessScope.id(id)).orElseThrow(() -> ProcessFaults.unknown(id)));
    }

    /** Waits for the end of a process, parked or not, at most so long; empty if it goes on. */
    public Optional<ProcessEnd> awaitEnd(ProcessId id, Duration most) throws InterruptedException {
        return Optional.of(host.join(ProcessScope.id(id), most).orElseThrow(() -> ProcessFaults.unknown(id)))
                .filter(ScopeState::isSettled)
                .map(state -> end(id, state));
    }

    private static ProcessEnd end(ProcessId id, ScopeState state) {
        Json result = state.result();
        if (result == null) {
            throw new BelayException("process_stuck", "process " + id + " cannot go on by itself: "
                    + state.stuckBecause() + "; see stuck() of the processes, then retry it or abandon it");
        }
        return ProcessEnd.of(result);
    }
}
