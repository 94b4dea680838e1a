package dev.belay.runtime.plugin;

import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.PluginBinding;
import dev.belay.tool.context.PluginState;
import java.util.Optional;

/** What a plugin can read wherever it is asked. */
public interface PluginView {

    /** The session. */
    SessionId session();

    /** The agent that answers it. */
    String agent();

    /** The turn; outside a turn the last one, 0 for none. */
    long turn();

    /**
     * The value of a state; {@code unknown_plugin_state} if no plugin of the session has registered it. A call sees what was before its
     * batch and its own changes; everything else sees all settled calls.
     */
    <S> S get(PluginState<S, ?> state);

    /** What was given along with the input of this turn. */
    <T> Optional<T> input(PluginBinding<T> binding);
}
