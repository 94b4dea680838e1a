package dev.belay.runtime.session.body;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.engine.CallProcesses;
import dev.belay.runtime.process.engine.StartedBy;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.turn.TurnView;
import dev.belay.runtime.store.ProcessId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a turn says of processes that one of its calls starts. Thread-safe.
 *
 * @param around the agent of the turn
 * @param turn which
 * @param call that starts them
 * @param left takes what the call leaves behind
 */
record TurnStarter(SessionBodies around, TurnView turn, CallReference call,
        CallOwner.Left left) implements CallProcesses.Starter {

    @Override
    public StartedBy by(ProcessId process, ProcessWork work) {
        TurnGating gating = turn.gating();
        CallReference made = made(work);
        return new StartedBy(turn.session(), Objects.requireNonNull(turn.lineage().get().family()),
                around.agent(), call.turn(), gating.above(), around.gate().isGated(gating),
                made == null
                        ? StartedBy.Counts.NONE
                        : new StartedBy.Counts(gating.starting(process, made), gating.failures(made)));
    }

    @Override
    public void started(ProcessId process, ProcessWork work) {
        CallReference made = made(work);
        if (made != null) {
            left.spent(TurnGating.started(process, made));
        }
    }

    /** The call that a process makes, in the place of the call that starts it; null for other work. */
    private @Nullable CallReference made(ProcessWork work) {
        return work instanceof ProcessWork.Tool(String tool, Json arguments)
                ? new CallReference(call.scope(), call.turn(), call.round(), call.index(), call.id(), tool,
                        arguments.text())
                : null;
    }

    @Override
    public Runnable awaits(ProcessId process) {
        return around.inbox()
                .rests()
                .begin(call.scope(), call.round() + "/" + call.index(),
                        new RestingScopes.Below.Work(process));
    }

    @Override
    public boolean allows(String tool) {
        return turn.tools().allowsInProcess(tool);
    }
}
