package dev.belay.tool.context;

/** The states that plugins keep with a session, as one place sees and changes them. */
public interface StateAccess {

    /**
     * The value as this place sees it, its own changes included; {@code unknown_plugin_state} if no plugin of the session has registered
     * the state.
     */
    <S> S get(PluginState<S, ?> state);

    /**
     * Changes a value. The change is recorded with the call, hook or action that makes it, and counts with that.
     *
     * @throws dev.belay.BelayException {@code plugin_state_read_only} where nothing can be changed; {@code resource_limit} if the
     *         value would be larger than 1 MiB
     */
    <S, C> void update(PluginState<S, C> state, C change);
}
