package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.output.OutputProjector;
import dev.belay.runtime.plugin.CallHook;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.HookContext;
import dev.belay.runtime.plugin.ModelSettings;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.plugin.ToolSearchConfig;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.PluginState;
import dev.belay.tool.context.ValueCodec;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The registrar of one plugin. Confined to the thread that registers. */
final class Registrations implements PluginRegistrar {

    /** Found out once for each class, because sessions register again and again. */
    private static final ClassValue<ValueCodec<?>> CODECS = new ClassValue<>() {
        @Override
        protected ValueCodec<?> computeValue(Class<?> type) {
            return ValueCodec.of(type);
        }
    };

    private final SessionPlugins into;
    private final String plugin;
    private final Function<Object, ToolMethods> methods;
    private boolean over;

    /**
     * Registers for one plugin.
     *
     * @param methods finds the tools of an object
     */
    Registrations(SessionPlugins into, String plugin, Function<Object, ToolMethods> methods) {
        this.into = into;
        this.plugin = plugin;
        this.methods = methods;
    }

    /** Refuses everything from now on. */
    void end() {
        over = true;
    }

    private <T> SessionPlugins.Of<T> of(T value) {
        if (over) {
            throw new BelayException("plugin_registered",
                    "plugin " + plugin + " registers after its register(…) has returned");
        }
        return new SessionPlugins.Of<>(plugin, Objects.requireNonNull(value, "nothing was registered"));
    }

    private BelayException conflict(String what, String other) {
        return new BelayException("plugin_conflict", plugin.equals(other)
                ? "plugin " + plugin + " registers " + what + " twice"
                : "plugins " + other + " and " + plugin + " both register " + what + "; remove one of them");
    }

    /** What only one plugin may register. */
    private <T> SessionPlugins.Of<T> alone(String what, SessionPlugins.@Nullable Of<T> other, T value) {
        if (other != null) {
            throw conflict(what, other.plugin());
        }
        return of(value);
    }

    @Override
    public <S, C> void state(PluginState<S, C> state) {
        of(state);
        String key = SessionPlugins.key(plugin, state.name());
        String other = into.stateKeys.get(state);
        if (other != null || into.states.containsKey(key)) {
            throw conflict("state " + state.name(), other == null
                    ? plugin
                    : other.substring(0, other.indexOf('/')));
        }
        into.states = SessionPlugins.with(into.states, key, state);
        into.stateKeys = SessionPlugins.with(into.stateKeys, state, key);
    }

    @Override
    public Tools tools() {
        return new Tools() {
            @Override
            public void provider(ToolProvider tools) {
                into.tools = SessionPlugins.with(into.tools, of(tools));
            }

            @Override
            public void methods(Object target) {
                into.tools = SessionPlugins.with(into.tools, of(methods.apply(target)));
            }
        };
    }

    @Override
    public Prompt prompt() {
        return contribution -> {
            if (into.prompt.stream()
                    .anyMatch(one -> one.plugin().equals(plugin)
                            && one.value().id().equals(contribution.id()))) {
                throw conflict("contribution " + contribution.id(), plugin);
            }
            into.prompt = SessionPlugins.with(into.prompt, of(contribution));
        };
    }

    @Override
    public Catalog catalog() {
        return (BiPredicate<PluginView, ToolManifest> offered) -> into.offers = SessionPlugins
                .with(into.offers, of(offered));
    }

    @Override
    public Turn turn() {
        return new Turn() {
            @Override
            public void before(TurnHook.Before hook) {
                into.beforeTurn = SessionPlugins.with(into.beforeTurn, of(hook));
            }

            @Override
            public void checkpoint(TurnHook.Checkpoint hook) {
                into.checkpoints = SessionPlugins.with(into.checkpoints, of(hook));
            }

            @Override
            public void after(TurnHook.After hook) {
                into.afterTurn = SessionPlugins.with(into.afterTurn, of(hook));
            }
        };
    }

    @Override
    public ToolCalls toolCalls() {
        return new ToolCalls() {
            @Override
            public void before(CallHook.Before hook) {
                into.beforeCall = SessionPlugins.with(into.beforeCall, of(hook));
            }

            @Override
            public void before(String tool, CallHook.Before hook) {
                before(new CallHookChain.OfTool.Before(tool, hook));
            }

            @Override
            public void after(CallHook.After hook) {
                into.afterCall = SessionPlugins.with(into.afterCall, of(hook));
            }

            @Override
            public void after(String tool, CallHook.After hook) {
                after(new CallHookChain.OfTool.After(tool, hook));
            }
        };
    }

    @Override
    public Output output() {
        return new Output() {
            @Override
            public void stream(BiFunction<PluginView, String, List<String>> chunks) {
                into.streams = SessionPlugins.with(into.streams, of(chunks));
            }

            @Override
            public void response(BiFunction<PluginView, ModelResponse, ModelResponse> response) {
                into.responses = SessionPlugins.with(into.responses, of(response));
            }
        };
    }

    @Override
    public ToolResults toolResults() {
        return new ToolResults() {
            @Override
            public void projector(OutputProjector projector) {
                into.projector = alone("a projector of tool results", into.projector, projector);
            }

            @Override
            public void tools(ToolProvider tools) {
                into.outputTools = alone("tools for kept outputs", into.outputTools, tools);
            }
        };
    }

    @Override
    public Session session() {
        return new Session() {
            @Override
            public void config(BiFunction<PluginView, ModelSettings, ModelSettings> settings) {
                into.configs = SessionPlugins.with(into.configs, of(settings));
            }

            @Override
            public void committed(BiConsumer<PluginView, TurnHook.Ended> listener) {
                into.committed = SessionPlugins.with(into.committed, of(listener));
            }
        };
    }

    @Override
    public History history() {
        return new History() {
            @Override
            public void view(HistoryHook.View view) {
                into.views = SessionPlugins.with(into.views, of(view));
            }

            @Override
            public void compactor(HistoryHook.Compactor compactor) {
                into.compactors = SessionPlugins.with(into.compactors, of(compactor));
            }
        };
    }

    @Override
    public Actions actions() {
        return new Actions() {
            @Override
            public <I, O> void query(String id, Class<I> input, Class<O> output,
                    BiFunction<I, PluginView, O> answer) {
                add(id, new SessionPlugins.Action(false, codec(input)::problems,
                        typed(codec(input), codec(output), answer)));
            }

            @Override
            public void query(String id, BiFunction<Json, PluginView, Json> answer) {
                add(id, new SessionPlugins.Action(false, raw -> "", answer));
            }

            @Override
            public <I, O> void command(String id, Class<I> input, Class<O> output,
                    BiFunction<I, HookContext, O> command) {
                add(id, new SessionPlugins.Action(true, codec(input)::problems,
                        changing(typed(codec(input), codec(output), command))));
            }

            @Override
            public void command(String id, BiFunction<Json, HookContext, Json> command) {
                add(id, new SessionPlugins.Action(true, raw -> "", changing(command)));
            }
        };
    }

    @Override
    public Discovery discovery() {
        return new Discovery() {
            @Override
            public void hint(String tool, List<String> words) {
                if (into.hints.containsKey(plugin + "/" + tool)) {
                    throw conflict("hints for tool " + tool, plugin);
                }
                into.hints = SessionPlugins.with(into.hints, plugin + "/" + tool, of(List.copyOf(words)));
            }

            @Override
            public void ranker(BiFunction<String, List<ToolManifest>, List<ToolManifest>> ranker) {
                var other = into.ranker;
                if (other != null) {
                    throw conflict("a ranker of tools", other.plugin());
                }
                into.ranker = of(ranker);
            }

            @Override
            public void search(ToolSearchConfig config) {
                into.search = alone("a search of tools", into.search, config);
            }
        };
    }

    @Override
    public Monitors monitors() {
        return (name, monitor) -> {
            if (!name.matches("[a-zA-Z0-9_.-]{1,64}")) {
                throw new IllegalArgumentException(
                        "a monitor is named by 1 to 64 letters, digits, _, - and ., found \"" + name + "\"");
            }
            if (into.monitors.containsKey(plugin + "/" + name)) {
                throw conflict("monitor " + name, plugin);
            }
            into.monitors = SessionPlugins.with(into.monitors, plugin + "/" + name, of(monitor));
        };
    }

    private static BiFunction<Json, PluginView, Json> changing(BiFunction<Json, HookContext, Json> command) {
        return (input, view) -> command.apply(input, (HookContext) view);
    }

    private static <I, O, V> BiFunction<Json, V, Json> typed(ValueCodec<I> in, ValueCodec<O> out,
            BiFunction<I, V, O> action) {
        return (json, view) -> out.encode(action.apply(in.decode(json), view));
    }

    @SuppressWarnings("unchecked")
    private static <T> ValueCodec<T> codec(Class<T> type) {
        return (ValueCodec<T>) CODECS.get(type);
    }

    private void add(String id, SessionPlugins.Action action) {
        if (!id.matches("[a-zA-Z0-9_.-]{1,100}")) {
            throw new IllegalArgumentException(
                    "an action is named by 1 to 100 letters, digits, _, - and ., found \"" + id + "\"");
        }
        var other = into.actions.get(id);
        if (other != null) {
            throw conflict("action " + id, other.plugin());
        }
        into.actions = SessionPlugins.with(into.actions, id, of(action));
    }
}
