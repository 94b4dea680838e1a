package dev.belay.runtime.plugin;

import dev.belay.tool.context.PluginState;
import dev.belay.tool.context.StateAccess;

/**
 * What a hook or a command reads and leaves behind. Everything that it leaves is recorded with what it decides, and counts however the
 * call or the round ends. Once the hook has returned nothing can be left: {@code plugin_state_read_only}.
 */
public interface HookContext extends PluginView, StateAccess {

    @Override
    <S> S get(PluginState<S, ?> state);

    /**
     * Tells the session's stream; at most 100 events of one hook, then {@code resource_limit}.
     *
     * @param name of the event
     * @param data a record, a text or {@link dev.belay.json.Json}
     */
    void emit(String name, Object data);
}
