package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.DurableEffects;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes as a call in a session sees them. Confined to one attempt of the call. */
public final class CallProcesses implements ProcessesCapability {

    private static final int ID_LENGTH = 32;
    /** A model does not read more. */
    private static final int MOST_LISTED = 1_000;
    private static final int MOST_SHOWN = 100;

    private final KeptProcesses kept;
    private final ProcessEnds ends;
    private final SessionId session;
    private final Starter starter;
    private final ToolContext call;
    private @Nullable BodySteps steps;

    CallProcesses(KeptProcesses kept, ProcessEnds ends, SessionId session, Starter starter,
            ToolContext call) {
        this.kept = kept;
        this.ends = ends;
        this.session = session;
        this.starter = starter;
        this.call = call;
    }

    /** What a turn says of processes that its calls start. Thread-safe. */
    public interface Starter {

        /** The session of the turn, as the start of a process records it; what the process calls counts in the turn from now on. */
        StartedBy by(ProcessId process, ProcessWork work);

        /** A process was started, now or by an earlier entry of the body. */
        void started(ProcessId process, ProcessWork work);

        /** The call waits for a process from now on, until what is returned runs. */
        Runnable awaits(ProcessId process);

        /** Whether a tool may be called: it is not taken from the session. */
        boolean allows(String tool);
    }

    /** The steps of a resumable body; null for a plain one. */
    private @Nullable BodySteps steps() {
        if (steps == null) {
            DurableEffects durable = BodySteps.of(call);
            steps = durable == null ? null : new BodySteps(durable, ends);
        }
        return steps;
    }

    @Override
    public DurableProcess start(String name, ProcessStart start) {
        if (start.id() != null) {
            throw new IllegalArgumentException("the id of a process that a call starts is derived from the"
                    + " call and the name \"" + name + "\"; found the id " + start.id());
        }
        var id = new ProcessId("p-" + new FramedHash().add(call.idempotencyKey().value())
                .add(name)
                .hex()
                .substring(0, ID_LENGTH));
        StartedBy by = starter.by(id, start.work());
        ProcessStart granted = (start.agent() == null ? start.agent(by.agent()) : start).id(id)
                .grantTo(session);
        BodySteps durable = steps();
        if (durable != null) {
            durable.start(name, id, () -> started(granted, by));
        } else {
            try {
                started(granted, by);
            } catch (BelayException fault) {
                throw ProcessFaults.refused(fault);
            }
        }
        starter.started(id, start.work());
        return new DurableProcess(kept, id, durable, starter);
    }

    private void started(ProcessStart start, StartedBy by) {
        if (start.work() instanceof ProcessWork.Tool(String tool, var arguments) && !starter.allows(tool)) {
            throw new BelayException("tool_unavailable", "tool " + tool
                    + " is no member of session " + session + ", so no process of it can be started there");
        }
        kept.start(start, by);
    }

    @Override
    public List<ProcessInfo> list() {
        call.callId();
        List<ProcessRow> rows = new ArrayList<>();
        List<ProcessRow> page = ProcessReads.ofSession(kept.store(), session, 0, MOST_LISTED);
        while (!page.isEmpty()) {
            rows.addAll(page);
            page = ProcessReads.ofSession(kept.store(), session, page.getLast().place(), MOST_LISTED);
        }
        return kept.infos(rows.subList(Math.max(0, rows.size() - MOST_LISTED), rows.size()));
    }

    @Override
    public DurableProcess get(String id) {
        call.callId();
        ProcessId process;
        try {
            process = new ProcessId(id);
        } catch (IllegalArgumentException noId) {
            throw notGranted(id); // a model may have invented it
        }
        if (!kept.store().read(ProcessReads.isGranted(process, session))) {
            throw notGranted(id);
        }
        return new DurableProcess(kept, process, steps(), starter);
    }

    private ToolException notGranted(String id) {
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.PERMISSION_DENIED,
                "process_not_granted", "session " + session + " may not handle process \""
                        + Wording.shown(id, MOST_SHOWN) + "\"; list() names the processes that it may"));
    }
}
