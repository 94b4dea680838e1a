package dev.belay.runtime;

import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.Doubts;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.journal.AgentKinds;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.DefinitionChange;
import java.util.Optional;

/**
 * Asks reconcilers of the tools that this runtime defines. The tool is that of the agent which ran the call, and it means the same as then.
 *
 * @param agents which are defined here
 */
record DoubtReconcilers(Agents agents) implements Doubts.Reconcilers {

    @Override
    public Reconciliation<ToolOutcome> ask(Doubt doubt) throws Exception {
        OpenDoubt.Call call = doubt.about().call();
        if (call.step() != null) {
            return unknown("it is about step \"" + call.step() + "\" of " + call.name()
                    + ", whose reconciler only the body knows; find out at the service behind it, and say happened or"
                    + " didNotHappen");
        }
        String agent = agent(doubt);
        ToolDefinition tool = agents.find(agent).flatMap(found -> tool(found, call)).orElse(null);
        if (tool == null) {
            return unknown("this program has no tool " + call.tool() + " of agent " + agent
                    + "; ask in a runtime that defines it");
        }
        if (!tool.fingerprint().value().equals(call.fingerprint())
                && tool.manifest().onDefinitionChanged() != DefinitionChange.CONTINUE) {
            return unknown("tool " + call.name() + " has changed since the call was made");
        }
        RecordedCall.Reconciler reconciler = tool.reconciler().orElse(null);
        return reconciler == null
                ? unknown("tool " + call.name() + " has no reconciler")
                : reconciler.reconcile(new RecordedCall(call.tool(), new CallId(call.id()),
                        new IdempotencyKey(call.idempotencyKey()), call.arguments(),
                        RecordedDoubts.payload(doubt.id(), doubt.scope(),
                                agents.shared().store().read(ScopeReads.effects(doubt.scope())))));
    }

    private static Optional<ToolDefinition> tool(TurnServices agent, OpenDoubt.Call call) {
        return agent.tools()
                .shared()
                .provider()
                .definitions()
                .stream()
                .filter(tool -> tool.id().equals(call.tool()))
                .findFirst();
    }

    private String agent(Doubt doubt) {
        String session = doubt.about().call().session();
        return agents.shared()
                .host()
                .state(doubt.scope())
                .map(ScopeState::input)
                .flatMap(input -> AgentKinds.agent(input.kind()))
                .or(() -> Optional.ofNullable(session).map(SessionId::new).flatMap(agents::nameOf))
                .orElse(SessionProfile.DEFAULT_AGENT);
    }

    private static Reconciliation<ToolOutcome> unknown(String why) {
        return new Reconciliation.Unknown<>(why);
    }
}
