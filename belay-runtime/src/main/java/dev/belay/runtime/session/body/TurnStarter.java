package dev.belay.runtime.session.body;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.process.engine.CallProcesses;
import dev.belay.runtime.process.engine.StartedBy;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.turn.TurnView;

/**
 * What a turn says of processes that one of its calls starts. Thread-safe.
 *
 * @param around the agent of the turn
 * @param turn which
 * @param call that starts them
 */
record TurnStarter(SessionBodies around, TurnView turn, CallReference call) implements CallProcesses.Starter {

    @Override
    public StartedBy session() {
        var gating = new TurnGating(around.store(), turn.session());
        return new StartedBy(turn.session(), around.agent(), call.turn(), gating.above(),
                around.gate().isGated(gating));
    }

    @Override
    public boolean allows(String tool) {
        return turn.tools().allowsInProcess(tool);
    }
}
