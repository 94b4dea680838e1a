package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.OutputProjection;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.CallHook;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.PluginState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the plugins of one session have registered, in their order. Filled while they register, then only read. Thread-safe
 * from then on.
 */
public final class SessionPlugins {

    /** No plugin. */
    public static final SessionPlugins NONE = new SessionPlugins(null, Map.of());

    /**
     * Something with the plugin that registered it.
     *
     * @param plugin its id
     * @param value what
     */
    public record Of<T>(String plugin, T value) {}

    final List<Of<ToolProvider>> tools = new ArrayList<>(1);
    final List<Of<Contribution>> prompt = new ArrayList<>(1);
    final List<Of<BiPredicate<PluginView, ToolManifest>>> offers = new ArrayList<>(0);
    final List<Of<TurnHook.Before>> beforeTurn = new ArrayList<>(0);
    final List<Of<TurnHook.Checkpoint>> checkpoints = new ArrayList<>(0);
    final List<Of<TurnHook.After>> afterTurn = new ArrayList<>(0);
    final List<Of<CallHook.Before>> beforeCall = new ArrayList<>(0);
    final List<Of<CallHook.After>> afterCall = new ArrayList<>(0);
    final List<Of<BiFunction<PluginView, String, List<String>>>> streams = new ArrayList<>(0);
    final List<Of<BiFunction<PluginView, ModelResponse, ModelResponse>>> responses = new ArrayList<>(0);
    final List<Of<BiConsumer<PluginView, TurnHook.Ended>>> committed = new ArrayList<>(0);
    final List<Of<HistoryHook.View>> views = new ArrayList<>(0);
    final List<Of<HistoryHook.Compactor>> compactors = new ArrayList<>(1);
    final Map<String, Of<Action>> actions = new LinkedHashMap<>(0);
    final Map<String, PluginState<?, ?>> states = new LinkedHashMap<>(2);
    final Map<PluginState<?, ?>, String> stateKeys = new LinkedHashMap<>(2);
    @Nullable
    Of<OutputProjection> projector;

    private final @Nullable Incarnation incarnation;
    private final Map<String, String> present;
    private volatile @Nullable Below registry;

    /**
     * An action.
     *
     * @param changes whether it is a command
     * @param run does it
     */
    public record Action(boolean changes, BiFunction<Json, PluginView, Json> run) {}

    private record Below(ToolRegistry parent, ToolRegistry registry) {}

    /**
     * Nothing registered yet.
     *
     * @param incarnation of the session, null before it was made
     * @param present the plugins, by their ids
     */
    SessionPlugins(@Nullable Incarnation incarnation, Map<String, String> present) {
        this.incarnation = incarnation;
        this.present = Map.copyOf(present);
    }

    /** Whether they were built for a session of this incarnation, or before it was made. */
    boolean isOf(@Nullable Incarnation other) {
        return incarnation == null || other == null || incarnation.equals(other);
    }

    /** Whether a plugin of this id is in the stack. */
    public boolean has(String plugin) {
        return present.containsKey(plugin);
    }

    /** Whether a plugin looks at calls before they run. */
    public boolean looksAtCalls() {
        return !beforeCall.isEmpty();
    }

    /** Whether a plugin looks at outcomes of calls. */
    public boolean looksAtOutcomes() {
        return !afterCall.isEmpty();
    }

    /** Whether nothing was registered that a call could meet. */
    boolean hooksNoCalls() {
        return beforeCall.isEmpty() && afterCall.isEmpty();
    }

    /** The tools of a session: those of the registry above, and those of plugins. */
    public ToolRegistry tools(ToolRegistry above) {
        if (tools.isEmpty()) {
            return above;
        }
        Below known = registry;
        if (known == null || known.parent() != above) {
            ToolRegistry below = ToolRegistry.below(above);
            for (Of<ToolProvider> one : tools) {
                below.add("plugin " + one.plugin(), one.value());
            }
            known = new Below(above, below);
            registry = known;
        }
        return known.registry();
    }

    /** The names of the tools that plugins leave out. {@link PluginFailure} if one cannot say. */
    public Set<String> hidden(StateView view, Supplier<List<ToolManifest>> tools, TimeSource time) {
        if (offers.isEmpty()) {
            return Set.of();
        }
        List<ToolManifest> offered = tools.get();
        Set<String> hidden = new TreeSet<>();
        for (Of<BiPredicate<PluginView, ToolManifest>> one : offers) {
            try {
                hidden.addAll(HookThread.run(time, thread -> {
                    thread.enters(one.plugin());
                    return offered.stream()
                            .filter(tool -> !one.value().test(view, tool))
                            .map(ToolManifest::name)
                            .toList();
                }));
            } catch (HookThread.HookFailure failure) {
                throw new PluginFailure(new TurnHooked.Stop(one.plugin(), "offer_hook_failed",
                        "plugin " + one.plugin() + " could not say what the model is offered: "
                                + failure.getMessage()),
                        failure);
            }
        }
        return hidden;
    }

    /** Whether one of them makes the conversation shorter. */
    public boolean compacts() {
        return !compactors.isEmpty();
    }

    /** What is shown of outcomes; null for everything. */
    public @Nullable OutputProjection projection() {
        Of<OutputProjection> one = projector;
        return one == null ? null : one.value();
    }

    /** The key of a state; {@code unknown_plugin_state} if none has registered it. */
    String key(PluginState<?, ?> state) {
        String key = stateKeys.get(state);
        if (key == null) {
            throw new BelayException("unknown_plugin_state", "no plugin of this session has registered state "
                    + state.name() + "; there are " + states.keySet()
                    + ". A plugin registers a state with on.state(…)");
        }
        return key;
    }

    static String key(String plugin, String state) {
        return plugin + "/" + state;
    }
}
