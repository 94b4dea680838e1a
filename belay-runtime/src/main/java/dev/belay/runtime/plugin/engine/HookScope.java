package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.plugin.HookContext;
import dev.belay.tool.context.PluginState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What one hook or command reads and leaves behind. What it leaves counts with {@link #take}, once it has returned. A hook may use it
 * from several threads.
 */
public class HookScope extends StateView implements HookContext {

    private static final int MOST_EVENTS = 100;
    private static final int MOST_EVENT = 64 << 10;

    private final String plugin;
    private final List<Json> left = new ArrayList<>(0);
    private int events;
    private boolean over;

    /**
     * For a hook of a plugin.
     *
     * @param values what it sees
     */
    public HookScope(HookPlace place, String plugin, StateValues values) {
        super(place, values);
        this.plugin = plugin;
    }

    @Override
    public synchronized <S, C> void update(PluginState<S, C> state, C change) {
        requireOpen("state " + state.name() + " cannot be changed");
        StateValues before = values();
        values(before.with(state, change));
        left.add(before.recorded(state, change));
    }

    @Override
    public synchronized void emit(String name, Object data) {
        requireOpen("event " + name + " cannot be told");
        Json json = switch (Objects.requireNonNull(data, "data")) {
            case Json given -> given;
            case String text -> Json.string(text);
            default -> Json.from(data);
        };
        if (++events > MOST_EVENTS || json.text().length() > MOST_EVENT) {
            throw new BelayException("resource_limit", "a hook of plugin " + plugin + " may tell "
                    + MOST_EVENTS + " events of " + MOST_EVENT + " characters each");
        }
        left.add(new StateChange(plugin, name, true, json).toJson());
    }

    final void requireOpen(String what) {
        if (over) {
            throw new BelayException("plugin_state_read_only",
                    what + " here: plugin " + plugin
                            + " may do so in a hook of calls or turns, or in a command,"
                            + " before that returns");
        }
    }

    /** Ends it; what it has left. */
    public synchronized List<Json> take() {
        over = true;
        return left;
    }
}
