package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.output.OutputKeeper;
import dev.belay.runtime.output.OutputProjector;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.engine.BatchViews;
import dev.belay.runtime.plugin.CallHook;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.ModelSettings;
import dev.belay.runtime.plugin.Monitor;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.plugin.ToolSearchConfig;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.store.SessionHead;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.PluginState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the plugins of one session have registered, in their order. Filled while they register, then only read. Most lists
 * stay empty, and are made with their first entry. Thread-safe from then on.
 */
public final class SessionPlugins {

    /** No plugin. */
    public static final SessionPlugins NONE = new SessionPlugins(null, Set.of());

    /** A plugin as a source of tools; its number is another one in each session and at each try. */
    private static final Pattern NUMBERED = Pattern.compile("source \\d+ \\((plugin [\\w.-]+)\\)");

    /**
     * Something with the plugin that registered it.
     *
     * @param plugin its id
     * @param value what
     */
    public record Of<T>(String plugin, T value) {}

    List<Of<ToolProvider>> tools = List.of();
    List<Of<Contribution>> prompt = List.of();
    List<Of<BiPredicate<PluginView, ToolManifest>>> offers = List.of();
    List<Of<TurnHook.Before>> beforeTurn = List.of();
    List<Of<TurnHook.Checkpoint>> checkpoints = List.of();
    List<Of<TurnHook.After>> afterTurn = List.of();
    List<Of<CallHook.Before>> beforeCall = List.of();
    List<Of<CallHook.After>> afterCall = List.of();
    List<Of<BiFunction<PluginView, String, List<String>>>> streams = List.of();
    List<Of<BiFunction<PluginView, ModelResponse, ModelResponse>>> responses = List.of();
    List<Of<BiConsumer<PluginView, TurnHook.Ended>>> committed = List.of();
    List<Of<BiFunction<PluginView, ModelSettings, ModelSettings>>> configs = List.of();
    List<Of<HistoryHook.View>> views = List.of();
    List<Of<HistoryHook.Compactor>> compactors = List.of();
    Map<String, Of<Action>> actions = Map.of();
    Map<String, PluginState<?, ?>> states = Map.of();
    Map<PluginState<?, ?>, String> stateKeys = Map.of();
    Map<String, Of<List<String>>> hints = Map.of();
    Map<String, Of<Monitor>> monitors = Map.of();
    @Nullable
    Of<BiFunction<String, List<ToolManifest>, List<ToolManifest>>> ranker;
    @Nullable
    Of<ToolSearchConfig> search;
    @Nullable
    Of<OutputProjector> projector;
    @Nullable
    Of<ToolProvider> outputTools;

    /** What hooks around calls read and change. */
    final StaleReads stale;
    private volatile @Nullable Incarnation incarnation;
    private volatile @Nullable Runnable ready;
    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile @Nullable Below registry;

    /**
     * An action.
     *
     * @param changes whether it is a command
     * @param problems what is wrong with an input; empty if nothing is
     * @param run does it
     */
    record Action(boolean changes, Function<Json, String> problems,
            BiFunction<Json, PluginView, Json> run) {}

    private record Below(ToolRegistry parent, ToolRegistry registry, ToolCatalog reserved) {}

    /**
     * Nothing registered yet.
     *
     * @param incarnation of the session, null before it was made
     * @param told what was said about states that hooks share; see {@link StaleReads}
     */
    SessionPlugins(@Nullable Incarnation incarnation, Set<String> told) {
        this.incarnation = incarnation;
        stale = new StaleReads(told);
    }

    /** A list with one more entry. */
    static <T> List<T> with(List<T> all, T more) {
        List<T> longer = all.isEmpty() ? new ArrayList<>(1) : all;
        longer.add(more);
        return longer;
    }

    /** A map with one more entry, in order. */
    static <K, V> Map<K, V> with(Map<K, V> all, K key, V value) {
        Map<K, V> larger = all.isEmpty() ? new LinkedHashMap<>(2) : all;
        larger.put(key, value);
        return larger;
    }

    /** Whether they were built for a session of this incarnation; null for one that was not made. */
    boolean isOf(@Nullable Incarnation other) {
        return Objects.equals(incarnation, other);
    }

    /** The session that they were built for was made; false if another one was, which has an origin that they do not know. */
    boolean become(Incarnation made, Optional<SessionHead> head) {
        boolean mine = incarnation == null
                && head.filter(found -> found.incarnation().equals(made) && found.origin().isNull())
                        .isPresent();
        if (mine) {
            incarnation = made;
        }
        return mine;
    }

    void whenRestored(Runnable plugins) {
        ready = plugins;
    }

    /** Whether they are ready. */
    public boolean isReady() {
        return ready == null;
    }

    /** Their states were restored: they get ready, once; {@code plugin_failed} if one cannot, and then they try again. */
    public void ready() {
        if (ready != null) {
            synchronized (this) {
                Runnable all = ready;
                if (all != null) {
                    all.run();
                    ready = null;
                }
            }
        }
    }

    /** Whether a plugin says how the model is asked. */
    public boolean configure() {
        return !configs.isEmpty();
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

    /**
     * The tools of a session: those of the registry above, and those of plugins. The names of plugins' tools are kept free above from then
     * on: what comes there later does not take them.
     *
     * @throws BelayException {@code plugin_conflict} if a tool stands there twice; {@code source_unreadable} if a plugin's provider cannot
     *         list its tools
     */
    public ToolRegistry tools(ToolRegistry above) {
        if (tools.isEmpty()) {
            return above;
        }
        Below known = registry;
        ToolRegistry below = known == null || known.parent() != above
                ? below(above, tools)
                : known.registry();
        ToolCatalog now = below.catalog();
        if (known == null || known.registry() != below || !known.reserved().equals(now)) {
            below.reserve();
            registry = new Below(above, below, now);
        }
        return below;
    }

    /** A registry with the tools of plugins below another one; {@code plugin_conflict} if a tool stands there twice. */
    static ToolRegistry below(ToolRegistry above, List<Of<ToolProvider>> tools) {
        ToolRegistry below = ToolRegistry.below(above);
        for (Of<ToolProvider> one : tools) {
            try {
                below.add("plugin " + one.plugin(), one.value());
            } catch (BelayException e) {
                throw e.code().startsWith("duplicate_tool_")
                        ? new BelayException("plugin_conflict",
                                NUMBERED.matcher(String.valueOf(e.getMessage())).replaceAll("$1"), e)
                        : e;
            }
        }
        return below;
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

    /** Whether one of them shows the model another conversation. */
    public boolean views() {
        return !views.isEmpty();
    }

    /** The monitors, as plugin and name with a slash between. */
    public Set<String> monitors() {
        return monitors.keySet();
    }

    /** A monitor; {@code unknown_monitor} if none of the plugins has registered it. */
    public Monitor monitor(String key) {
        Of<Monitor> found = monitors.get(key);
        if (found == null) {
            throw new BelayException("unknown_monitor", "no plugin of this session has registered monitor "
                    + key + "; there are " + monitors.keySet());
        }
        return found.value();
    }

    /** Whether this is the first time that it is asked. */
    public boolean startsMonitors() {
        return !monitors.isEmpty() && !watched.getAndSet(true);
    }

    /** They could not be started: the next turn tries again. */
    public void monitorsNotStarted() {
        watched.set(false);
    }

    /** The words of plugins for tools, by name. */
    public Map<String, List<String>> hints() {
        Map<String, List<String>> words = new HashMap<>(0);
        hints.forEach((key, of) -> words.merge(key.substring(key.indexOf('/') + 1), of.value(),
                (some, more) -> Stream.concat(some.stream(), more.stream()).toList()));
        return words;
    }

    /** Ranks tools for a question; null if no plugin does. */
    public @Nullable BiFunction<String, List<ToolManifest>, List<ToolManifest>> ranker() {
        var one = ranker;
        return one == null ? null : one.value();
    }

    /** How the model searches tools; null if it does not. */
    public @Nullable ToolSearchConfig search() {
        Of<ToolSearchConfig> one = search;
        return one == null ? null : one.value();
    }

    /**
     * What model and history are shown of a batch; null if everything is.
     *
     * @param keeper keeps outputs that are cut
     */
    public @Nullable BatchViews show(List<ToolOutput> batch, OutputKeeper keeper, TimeSource time) {
        Of<OutputProjector> one = projector;
        return one == null ? null : BatchViews.of(one.value(), batch, keeper, watch(one.plugin(), time));
    }

    /** Whether outputs are shown otherwise than as they are. */
    public boolean projects() {
        return projector != null;
    }

    /** What programs are shown of an output. */
    public ToolOutcome show(ToolOutput output, TimeSource time) {
        Of<OutputProjector> one = projector;
        return one == null
                ? output.outcome()
                : BatchViews.forCaller(one.value().caller(), output, watch(one.plugin(), time));
    }

    /** Gives a projector as long as a hook has. */
    private static BatchViews.Watch watch(String plugin, TimeSource time) {
        return new BatchViews.Watch() {
            @Override
            public <T> T run(Supplier<T> view) {
                return HookThread.run(time, thread -> {
                    thread.enters(plugin);
                    return view.get();
                });
            }
        };
    }

    /** The tools that read kept outputs; null for none. */
    public @Nullable ToolProvider outputTools() {
        Of<ToolProvider> one = outputTools;
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
