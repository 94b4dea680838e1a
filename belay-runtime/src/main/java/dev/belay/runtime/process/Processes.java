package dev.belay.runtime.process;

import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.engine.KeptProcesses;
import dev.belay.runtime.process.engine.ProcessEnds;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.ProcessReads;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The processes of a runtime. Thread-safe. */
public final class Processes {

    private static final int MOST_STUCK = 1_000;

    private final KeptProcesses kept;
    private final ProcessEnds ends;
    private final Store store;
    private final Actor actor;

    /**
     * Made by the runtime.
     *
     * @param actor who asks for operators' verbs
     */
    public Processes(KeptProcesses kept, ProcessEnds ends, Store store, Actor actor) {
        this.kept = kept;
        this.ends = ends;
        this.store = store;
        this.actor = actor;
    }

    /**
     * Starts a process durably and returns. The same id with the same content is the same process.
     *
     * @throws dev.belay.BelayException {@code input_conflict} if the id is known with another content,
     *         {@code unknown_process_body} if there is no such body, {@code resource_limit} if the start has more than 1 MiB
     */
    public DurableProcess start(ProcessStart start) {
        return new DurableProcess(kept, kept.start(Objects.requireNonNull(start, "start"), null), null, null);
    }

    /** The handle of a process that was started; {@code unknown_process} if there is none. */
    public DurableProcess get(String id) {
        return new DurableProcess(kept, kept.row(new ProcessId(id)).id(), null, null);
    }

    /**
     * Lists processes in the order of their starts.
     *
     * @param after the place of the last known process; 0 begins with the first
     * @param most at most this many
     */
    public List<ProcessInfo> list(long after, int most) {
        return kept.infos(kept.store().read(ProcessReads.processes(after, Page.size(most))));
    }

    /** Lists the processes that a session was granted, in the order of their starts. */
    public List<ProcessInfo> list(String session, long after, int most) {
        return kept
                .infos(ProcessReads.ofSession(kept.store(), new SessionId(session), after, Page.size(most)));
    }

    /** The first thousand processes that cannot go on by themselves; each waits until it is retried or abandoned. */
    public List<ProcessInfo> stuck() {
        return stuck(null, MOST_STUCK).items();
    }

    /**
     * Processes that cannot go on by themselves, in the order of their names.
     *
     * @param after begins behind {@link Page#next} of another page; null begins with the first
     * @param most at most this many
     */
    public Page<ProcessInfo> stuck(@Nullable String after, int most) {
        List<ProcessRow> found = kept.store()
                .read(ProcessReads.stuck(after == null ? null : new ProcessId(after), Page.size(most)));
        return new Page<>(kept.infos(found),
                found.size() < most ? null : found.getLast().id().value());
    }

    /** Lets a stuck process go on. */
    public VerbResult retry(ProcessId process) {
        return kept.host().by(noting("retry", process, null)).retry(ProcessScope.id(process))
                ? VerbResult.DONE
                : instead(process, new VerbResult.NotPossible("process " + process + " has ended"),
                        VerbResult.ALREADY);
    }

    /** Ends a stuck process as abandoned. */
    public VerbResult abandon(ProcessId process, String reason) {
        return ends.abandon(process, reason,
                noting("abandon", process, Objects.requireNonNull(reason, "reason")))
                        ? VerbResult.DONE
                        : instead(process, VerbResult.ALREADY, new VerbResult.NotPossible("process " + process
                                + " is not stuck; cancel it if it should end"));
    }

    /** Asks a process to end. */
    public VerbResult cancel(ProcessId process, String reason) {
        return switch (kept.host()
                .by(noting("cancel", process, Objects.requireNonNull(reason, "reason")))
                .cancel(ProcessScope.id(process), reason)) {
            case CancelReceipt.Requested requested -> VerbResult.DONE;
            case CancelReceipt.AlreadyRequested already -> VerbResult.ALREADY;
            case CancelReceipt.AlreadyEnded ended ->
                new VerbResult.NotPossible("process " + process + " has ended");
            case CancelReceipt.Unknown unknown -> unknown(process);
        };
    }

    private Store noting(String verb, ProcessId process, @Nullable String reason) {
        return store.noting(AuditEntry.Note.of(actor, verb, "process " + process, reason), kept.time().now());
    }

    private VerbResult instead(ProcessId process, VerbResult ifEnded, VerbResult ifNot) {
        return kept.store()
                .read(ProcessReads.process(process))
                .map(row -> row.endedAt() != null ? ifEnded : ifNot)
                .orElseGet(() -> unknown(process));
    }

    private static VerbResult unknown(ProcessId process) {
        return new VerbResult.NotPossible("there is no process " + process);
    }
}
