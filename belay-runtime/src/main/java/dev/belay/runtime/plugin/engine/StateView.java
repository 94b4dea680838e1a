package dev.belay.runtime.plugin.engine;

import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.PluginBinding;
import dev.belay.tool.context.PluginState;
import java.util.Optional;

/** What a plugin reads at one moment. Thread-safe, as long as its subclass is. */
public class StateView implements PluginView {

    private final HookPlace place;
    private volatile StateValues values;

    public StateView(HookPlace place, StateValues values) {
        this.place = place;
        this.values = values;
    }

    /** The same moment. */
    public StateView(StateView same) {
        this(same.place, same.values);
    }

    final StateValues values() {
        return values;
    }

    final void values(StateValues next) {
        values = next;
    }

    @Override
    public SessionId session() {
        return place.session();
    }

    @Override
    public String agent() {
        return place.agent();
    }

    @Override
    public long turn() {
        return place.turn();
    }

    @Override
    public <S> S get(PluginState<S, ?> state) {
        return values.get(state);
    }

    @Override
    public <T> Optional<T> input(PluginBinding<T> binding) {
        return place.inputs().get(binding.id()).map(binding::decode);
    }
}
