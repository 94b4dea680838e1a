package dev.belay.runtime.process;

import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import java.util.List;
import java.util.Objects;

/** The processes of a runtime. Thread-safe. */
public final class Processes {

    private final ProcessEngine engine;

    /** Those of an engine. */
    public Processes(ProcessEngine engine) {
        this.engine = engine;
    }

    /**
     * Starts a process durably and returns. The same id with the same content is the same process.
     *
     * @throws dev.belay.BelayException {@code input_conflict} if the id is known with another content,
     *         {@code unknown_process_body} if there is no such body, {@code resource_limit} if it starts from more than 1 MiB
     */
    public DurableProcess start(ProcessStart start) {
        return engine.start(Objects.requireNonNull(start, "start"));
    }

    /** A process that was started; {@code unknown_process} if there is none. */
    public DurableProcess get(String id) {
        return new DurableProcess(engine, engine.row(new ProcessId(id)).id(), null);
    }

    /**
     * Processes in the order of their starts.
     *
     * @param after the place of the last one that is known; 0 begins with the first
     * @param most at most this many
     */
    public List<ProcessInfo> list(long after, int most) {
        return infos(engine.store().processes(after, most));
    }

    /** Processes that a session may handle, in the order of their starts. */
    public List<ProcessInfo> list(String session, long after, int most) {
        return infos(engine.store().processes(new SessionId(session), after, most));
    }

    private static List<ProcessInfo> infos(List<ProcessRow> rows) {
        return rows.stream().map(ProcessInfo::of).toList();
    }

    /** Processes that cannot go on by themselves, until somebody retries or abandons them. */
    public List<ProcessInfo> stuck() {
        return engine.host()
                .stuck()
                .stream()
                .filter(state -> ProcessScope.isProcess(state.input().kind()))
                .map(state -> engine.info(ProcessScope.process(state.id())))
                .toList();
    }

    /** Lets a stuck process go on; false if it is not stuck. */
    public boolean retry(ProcessId process) {
        return engine.retry(process);
    }

    /** Ends a stuck process as abandoned; false if it is not stuck. */
    public boolean abandon(ProcessId process, String reason) {
        return engine.abandon(process, Objects.requireNonNull(reason, "reason"));
    }
}
