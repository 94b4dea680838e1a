package dev.belay.runtime.session.body;

import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.tool.ToolContext;
import dev.belay.tool.context.PluginState;
import dev.belay.tool.context.StateAccess;

/** The states of plugins as the body of one call sees and changes them. Thread-safe. */
final class CallStates implements StateAccess {

    private final ToolContext within;
    private final CallOwner.Left left;
    private StateValues values;

    CallStates(StateValues values, ToolContext within, CallOwner.Left left) {
        this.values = values;
        this.within = within;
        this.left = left;
    }

    @Override
    public synchronized <S> S get(PluginState<S, ?> state) {
        within.callId();
        return values.get(state);
    }

    @Override
    public synchronized <S, C> void update(PluginState<S, C> state, C change) {
        StateValues next = values.with(state, change);
        left.changed(values.recorded(state, change));
        values = next;
    }
}
