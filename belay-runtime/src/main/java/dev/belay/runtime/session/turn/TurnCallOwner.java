package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.state.TurnTools;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a turn adds to its calls: events in the session's stream, the session for bodies, an end for child sessions. Thread-safe. */
final class TurnCallOwner implements CallOwner, DispatchListener {

    private final TurnServices services;
    private final SessionTurn turn;
    private final TurnView view;
    private final CallHooks hooks;
    private final TurnGating gating;

    TurnCallOwner(TurnServices services, SessionTurn turn) {
        this.services = services;
        this.turn = turn;
        gating = new TurnGating(services.store(), turn.start().session(), turn::added, turn::batch,
                turn.plugins().started(), this::isTaken);
        view = new TurnView(turn.start().session(), turn.config(), turn.tools(), turn.search(), turn::added,
                turn::hostValues, turn::states, gating, this::lineage);
        hooks = turn.callHooks();
    }

    @Override
    public DispatchListener listener() {
        return this;
    }

    @Override
    public void on(CallEvent event) {
        turn.stream().tell(new TurnEvent.Call(turn.start().session(), event.call().turn(), shown(event)));
    }

    /** An event with as much of the output as programs are shown. */
    private CallEvent shown(CallEvent event) {
        if (!turn.plugins().session().projects()
                || !(event instanceof CallEvent.Finished(CallReference call, ToolOutcome whole))) {
            return event;
        }
        ToolOutcome shown = turn.plugins()
                .session()
                .show(ToolOutput.of(call.tool(), whole, turn.declaredBudget(call)), services.time());
        return shown.equals(whole) ? event : new CallEvent.Finished(call, shown);
    }

    @Override
    public boolean isPrompt() {
        return true;
    }

    @Override
    public Map<String, String> marks() {
        return turn.start().marks();
    }

    @Override
    public @Nullable CallHooks hooks() {
        return hooks.equals(CallHooks.NONE) ? null : hooks;
    }

    @Override
    public void recorded(CallReference call, List<Json> left) {
        turn.told(left);
    }

    @Override
    public Json inputs() {
        return turn.start().input().with();
    }

    @Override
    public ToolContext around(ToolContext context, CallReference call, Left left) {
        return services.bodies().around(view, context, call, left);
    }

    @Override
    public Lineage lineage() {
        return new Lineage(turn.start().session().value(),
                gating.family().orElseGet(() -> turn.start().incarnation().toString()));
    }

    /** A command that takes a tool from the session waits for the next round; a call that waited for a person obeys it at once. */
    private boolean isTaken(String tool) {
        SessionCommands.Now now = new SessionCommands(services.inbox(), turn.start().session(), null).now();
        if (now.waiting().isEmpty()) {
            return false;
        }
        ToolRegistry live = services.toolsOf(turn.start().session(), turn.start().incarnation());
        return new TurnTools(live, now.saved().tools()).allowsInProcess(tool)
                && !TurnTools.of(live, now).allowsInProcess(tool);
    }

    @Override
    public Gating gating() {
        return gating;
    }

    @Override
    public List<Json> leftByDead(CallReference call) {
        return gating.started(call.turn());
    }

    @Override
    public void asked(CallReference call) {
        turn.asked();
    }

    @Override
    public void note(CallReference call, Aftermath aftermath) {
        turn.plugins().note(call, aftermath);
    }

    /** Child sessions of a stopped call end with it; said on every entry, because the process that ran the body may be gone. */
    @Override
    public void ended(EffectScope scope, CallReference call, ToolOutcome outcome) {
        turn.plugins().finished(call);
        CallChildren.whyStopped(scope, outcome)
                .ifPresent(reason -> CallChildren.of(services, scope.id(), call.round(), call.index())
                        .stop(reason));
    }
}
