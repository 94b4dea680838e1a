package dev.belay.runtime.process;

import dev.belay.runtime.process.engine.KeptProcesses;
import dev.belay.runtime.process.engine.ProcessEnds;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import java.util.List;
import java.util.Objects;

/** The processes of a runtime. Thread-safe. */
public final class Processes {

    private final KeptProcesses kept;
    private final ProcessEnds ends;

    /** Made by the runtime. */
    public Processes(KeptProcesses kept, ProcessEnds ends) {
        this.kept = kept;
        this.ends = ends;
    }

    /**
     * Starts a process durably and returns. The same id with the same content is the same process.
     *
     * @throws dev.belay.BelayException {@code input_conflict} if the id is known with another content,
     *         {@code unknown_process_body} if there is no such body, {@code resource_limit} if the start has more than 1 MiB
     */
    public DurableProcess start(ProcessStart start) {
        return new DurableProcess(kept, kept.start(Objects.requireNonNull(start, "start")), null);
    }

    /** The handle of a process that was started; {@code unknown_process} if there is none. */
    public DurableProcess get(String id) {
        return new DurableProcess(kept, kept.row(new ProcessId(id)).id(), null);
    }

    /**
     * Lists processes in the order of their starts.
     *
     * @param after the place of the last known process; 0 begins with the first
     * @param most at most this many
     */
    public List<ProcessInfo> list(long after, int most) {
        return infos(kept.store().processes(after, most));
    }

    /** Lists the processes that a session was granted, in the order of their starts. */
    public List<ProcessInfo> list(String session, long after, int most) {
        return infos(kept.store().processes(new SessionId(session), after, most));
    }

    private static List<ProcessInfo> infos(List<ProcessRow> rows) {
        return rows.stream().map(KeptProcesses::info).toList();
    }

    /** Lists processes that cannot go on by themselves; each waits until it is retried or abandoned. */
    public List<ProcessInfo> stuck() {
        return kept.host()
                .stuck()
                .stream()
                .filter(state -> ProcessScope.isProcess(state.input().kind()))
                .map(state -> kept.info(ProcessScope.process(state.id())))
                .toList();
    }

    /** Lets a stuck process go on; false if it is not stuck. */
    public boolean retry(ProcessId process) {
        return kept.host().retry(ProcessScope.id(process));
    }

    /** Ends a stuck process as abandoned; false if it is not stuck. */
    public boolean abandon(ProcessId process, String reason) {
        return ends.abandon(process, Objects.requireNonNull(reason, "reason"));
    }
}
