package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.dispatch.ContextCarrier;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.ToolDispatcherBuilder;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.engine.AgentPlugins;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.engine.ProcessSettings;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.asking.SessionSettings;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import dev.belay.toolset.budget.Prices;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link Belay} is made of; everything but the model has a default. Confined to one thread. */
public final class BelayBuilder {

    /** Inside the grace of 30 s that most service managers give a program. */
    private static final Duration DRAIN = Duration.ofSeconds(25);
    private static final int SHARE_OF_HEAP = 8;
    private static final ToolProvider NO_TOOLS = StaticToolProvider.builder().build();

    private final AgentBuilder own = new AgentBuilder(SessionProfile.DEFAULT_AGENT);
    private final Map<String, AgentBuilder> agents = new LinkedHashMap<>();
    private final List<ContextCarrier> carriers = new ArrayList<>();
    private final Map<String, ProcessBody> processes = new HashMap<>();
    private final List<SessionEvents.Listener> listeners = new ArrayList<>();
    private HostValues hostValues = HostValues.NONE;
    private @Nullable Store store;
    private BiPredicate<SessionId, SessionId> snapshots = (reader, read) -> false;
    private CallCaps caps = CallCaps.NONE;
    private final Set<String> sessions = new HashSet<>();
    private boolean starts = true;
    private long remembered = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    private Duration timeout = ToolDispatcher.DEFAULT_TIMEOUT;
    private Duration parkAfter = HostOptions.PARK_AFTER;
    private Duration drain = DRAIN;
    private ApprovalMode approvals = ApprovalMode.PARK;
    private Duration approvalsExpire = Gate.EXPIRY;
    private @Nullable Duration approvalsHold;
    private TimeSource time = TimeSource.system();
    private RandomGenerator random = new SecureRandom();

    BelayBuilder() {}

    /**
     * Defines another agent: sessions of its name are answered by its model, with its instructions and tools. What this builder says
     * itself defines the agent {@code default}, if it has a model.
     *
     * @param name 1 to 64 of a to z, 0 to 9, {@code _} and {@code -}; recorded with its sessions, so keep it
     * @throws IllegalArgumentException if the name is taken
     */
    public BelayBuilder agent(String name, Consumer<AgentBuilder> definition) {
        var agent = new AgentBuilder(SessionProfile.requireAgent(name));
        if (name.equals(SessionProfile.DEFAULT_AGENT)) {
            throw new IllegalArgumentException("the agent \"default\" is defined by the builder itself: call"
                    + " model(…), instructions(…) and tools(…) of it");
        }
        if (agents.putIfAbsent(name, agent) != null) {
            throw new IllegalArgumentException("there is an agent \"" + name
                    + "\" already; sessions are found by that name, so give this one another");
        }
        definition.accept(agent);
        return this;
    }

    /** The model that answers turns of the agent {@code default}. Without one that agent is not defined here. */
    public BelayBuilder model(Model model) {
        own.model(model);
        return this;
    }

    /** Another model of the agent {@code default}; see {@link AgentBuilder#model(String, Model)}. */
    public BelayBuilder model(String name, Model model) {
        own.model(name, model);
        return this;
    }

    /** A way of asking of the agent {@code default}; see {@link AgentBuilder#variant}. */
    public BelayBuilder variant(String name, Generation settings) {
        own.variant(name, settings);
        return this;
    }

    /** What a model of the agent {@code default} costs; see {@link AgentBuilder#prices}. */
    public BelayBuilder prices(String model, Prices newPrices) {
        own.prices(model, newPrices);
        return this;
    }

    /** Tools of the agent {@code default}; none by default. Several sources stand in the order in which they were given. */
    public BelayBuilder tools(ToolProvider provider) {
        own.tools(provider);
        return this;
    }

    /** The methods of an object that are marked as tools, for the agent {@code default}. */
    public BelayBuilder toolMethods(Object target) {
        own.toolMethods(target);
        return this;
    }

    /** What stands before every conversation of the agent {@code default}; see {@link AgentBuilder#instructions}. */
    public BelayBuilder instructions(String text) {
        own.instructions(text);
        return this;
    }

    /** Appends a plugin; for all agents that do not have a stack of their own. See {@link AgentBuilder#plugin}. */
    public BelayBuilder plugin(PluginFactory factory) {
        own.plugin(factory);
        return this;
    }

    /** The plugins of all agents that do not have a stack of their own; {@link PluginStack#runtime} by default. */
    public BelayBuilder plugins(PluginStack stack) {
        own.plugins(stack);
        return this;
    }

    /** Changes the plugins of all agents that do not have a stack of their own. */
    public BelayBuilder configurePlugins(Consumer<PluginStack> change) {
        own.configurePlugins(change);
        return this;
    }

    /** How answers of the agent {@code default} are to be made; the provider decides by default. */
    public BelayBuilder generation(Generation newGeneration) {
        own.generation(newGeneration);
        return this;
    }

    /** How much the model of the agent {@code default} can read and write; see {@link AgentBuilder#maxContextTokens}. */
    public BelayBuilder maxContextTokens(long tokens) {
        own.maxContextTokens(tokens);
        return this;
    }

    /** How long an outage of the models of the agent {@code default} may last; see {@link AgentBuilder#modelPatience}. */
    public BelayBuilder modelPatience(Duration patience) {
        own.modelPatience(patience);
        return this;
    }

    /** How far a turn of the agent {@code default} may go; {@link TurnBounds#DEFAULT} by default. */
    public BelayBuilder bounds(TurnBounds newBounds) {
        own.bounds(newBounds);
        return this;
    }

    /** Decides which calls run, ask a person or are denied, for all agents that have no policy of their own; all run by default. */
    public BelayBuilder policy(Policy policy) {
        own.policy(policy);
        return this;
    }

    /** What happens to calls about which a person is to be asked; they wait by default. */
    public BelayBuilder approvals(ApprovalMode mode) {
        approvals = Objects.requireNonNull(mode, "approvals");
        return this;
    }

    /**
     * How long a request for approval waits; 7 days by default. Then its call fails with {@code approval_expired}.
     *
     * @param after positive
     */
    public BelayBuilder approvalsExpire(Duration after) {
        if (after.isZero() || after.isNegative()) {
            throw new IllegalArgumentException("requests must be able to wait, found " + after);
        }
        approvalsExpire = after;
        return this;
    }

    /**
     * How long an approval counts: a call whose body has not begun by then asks again. By default for as long as requests wait
     * ({@link #approvalsExpire}). What a person has approved for the turn or the session holds until it is revoked.
     *
     * @param age positive
     */
    public BelayBuilder approvalsHold(Duration age) {
        if (age.isZero() || age.isNegative()) {
            throw new IllegalArgumentException("approvals must be able to count, found " + age);
        }
        approvalsHold = age;
        return this;
    }

    /**
     * Which other sessions a body may read by {@code sessions().snapshot(id)}; none by default. Sessions that its own call has made
     * are always granted.
     *
     * @param granted is asked with the session of the call and the session to be read; called from any thread
     */
    public BelayBuilder snapshots(BiPredicate<SessionId, SessionId> granted) {
        snapshots = Objects.requireNonNull(granted, "granted");
        return this;
    }

    /**
     * Code for processes, found again after a restart by this name; so keep it.
     *
     * @param name 1 to 64 letters, digits, {@code _} and {@code -}
     * @throws BelayException {@code duplicate_process_body} if the name is taken
     */
    public BelayBuilder process(String name, ProcessBody body) {
        if (!name.matches("[a-zA-Z0-9_-]{1,64}")) {
            throw new IllegalArgumentException(
                    "a process body is named by 1 to 64 letters, digits, _ and -, found \""
                            + name + "\"");
        }
        if (processes.putIfAbsent(name, Objects.requireNonNull(body, "body")) != null) {
            throw new BelayException("duplicate_process_body", "there is a process body \"" + name
                    + "\" already; give this one another name");
        }
        return this;
    }

    /** What parameters marked {@code @FromHost} of one type are given. */
    public <T> BelayBuilder hostValue(Class<T> type, Supplier<? extends T> supplier) {
        hostValues = hostValues.with(type, supplier);
        return this;
    }

    /** Where sessions are kept; in memory by default, which forgets them with the process. Closed with the runtime. */
    public BelayBuilder store(Store newStore) {
        store = Objects.requireNonNull(newStore, "store");
        return this;
    }

    /** How many bodies may run at once; any number by default. */
    public BelayBuilder caps(CallCaps newCaps) {
        caps = Objects.requireNonNull(newCaps, "caps");
        return this;
    }

    /**
     * Whether the runtime begins to work when it is built; true by default. If not, {@link Belay#start} lets it begin once the program
     * around is ready: turns, processes and calls that were left behind wait until then.
     */
    public BelayBuilder start(boolean atOnce) {
        starts = atOnce;
        return this;
    }

    /**
     * Limits the runtime to these sessions and to those that their calls make: it takes no turn of another session, neither a new one nor one
     * that wakes or was left behind. It still accepts inputs for other sessions, which another runtime answers. Processes and batches belong
     * to no session and are not limited. Without this call turns of all sessions are taken.
     *
     * @param names may be named before they exist; adds to those of an earlier call
     */
    public BelayBuilder sessions(String... names) {
        for (String name : names) {
            sessions.add(new SessionId(name).value());
        }
        return this;
    }

    /**
     * About how many bytes of sessions and of their events are remembered; an eighth of the heap by default. A session that is not
     * remembered is read again at its next turn, and a reader of its events may be told of a gap.
     *
     * @param bytes 0 or more
     */
    public BelayBuilder remembered(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("at least 0 bytes are remembered, found " + bytes);
        }
        remembered = bytes;
        return this;
    }

    /** How long all attempts of a call may take together if its tool does not say; 10 minutes by default. */
    public BelayBuilder timeout(Duration total) {
        timeout = Objects.requireNonNull(total, "timeout");
        return this;
    }

    /** How long a turn that waits may hold its thread; a second by default. */
    public BelayBuilder parkAfter(Duration newParkAfter) {
        parkAfter = Objects.requireNonNull(newParkAfter, "parkAfter");
        return this;
    }

    /**
     * How long {@link Belay#close()} waits for what runs; 25 seconds by default, inside the grace of 30 that most service managers give.
     *
     * @param most zero to interrupt at once
     */
    public BelayBuilder drain(Duration most) {
        if (most.isNegative()) {
            throw new IllegalArgumentException("the drain must not be negative, found " + most);
        }
        drain = most;
        return this;
    }

    /** Adds a carrier of the caller's context to bodies, beside the one for logging; it replaces a carrier of its name. */
    public BelayBuilder carrier(ContextCarrier carrier) {
        carriers.add(Objects.requireNonNull(carrier, "carrier"));
        return this;
    }

    /** Adds a listener over all sessions of this runtime: turns, rounds, calls, parks, waiting models and commits. */
    public BelayBuilder listener(SessionEvents.Listener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** The clock; the machine's by default. */
    public BelayBuilder time(TimeSource newTime) {
        time = Objects.requireNonNull(newTime, "time");
        return this;
    }

    /** Where chance comes from; must be thread-safe. A secure source by default. */
    public BelayBuilder random(RandomGenerator newRandom) {
        random = Objects.requireNonNull(newRandom, "random");
        return this;
    }

    /**
     * Opens the runtime: turns that were left behind in the store go on at once, unless {@link #start} says otherwise.
     *
     * @throws BelayException {@code model_missing} if an agent has only models with a name, or a named agent none; {@code price_missing} if turns have a budget of cost and a
     *         model has no price; {@code unknown_model} if a price belongs to none; {@code plugin_conflict}, {@code duplicate_tool_name} or
     *         {@code duplicate_tool_id} if two tools cannot be told apart. After these the store is as it was given. Whatever is
     *         thrown because the runtime could not begin, {@code journal_unavailable} for example, has closed the store, as closing
     *         the runtime would
     */
    public Belay build() {
        return opened(false, parts -> {
            var belay = new Belay(parts);
            if (starts) {
                belay.start();
            }
            return belay;
        });
    }

    /** The parts of a client: what other programs run. */
    Assembly elsewhere() {
        return opened(true, parts -> parts);
    }

    private <T> T opened(boolean elsewhere, Function<Assembly, T> begin) {
        List<AgentBuilder> defined = new ArrayList<>(List.of(own));
        defined.addAll(agents.values());
        ToolDispatcher shared = dispatch(NO_TOOLS).caps(caps).build();
        PluginStack stack = own.plugins() == null ? PluginStack.runtime() : own.plugins();
        Map<String, Policy> policies = policies(defined);
        List<Assembly.AgentParts> parts = defined.stream()
                .map(agent -> parts(agent, shared.gatedBy(new Gate(agent.name(), policies,
                        defined.stream().map(AgentBuilder::name).collect(Collectors.toUnmodifiableSet()),
                        approvals,
                        approvalsExpire, approvalsHold == null ? approvalsExpire : approvalsHold)), stack))
                .toList();
        var bodies = new ProcessSettings(processes, dispatch(NO_TOOLS).build());
        Store opened = store == null ? InMemoryStore.open() : store;
        JournalEffectHost host = null;
        try {
            host = JournalEffectHost.open(opened, HostOptions.DEFAULT.withTime(time)
                    .withParkAfter(parkAfter));
            return begin.apply(Assembly.of(
                    new Assembly.Given(opened, host, parts, snapshots, remembered, bodies, time,
                            random, elsewhere, List.copyOf(listeners), drain,
                            Set.copyOf(sessions))));
        } catch (RuntimeException | Error e) {
            if (host != null) {
                close(host::close, e);
            }
            close(opened::close, e);
            throw e;
        }
    }

    private Map<String, Policy> policies(List<AgentBuilder> defined) {
        Map<String, Policy> policies = new HashMap<>();
        for (AgentBuilder agent : defined) {
            Policy policy = agent.policy() == null ? own.policy() : agent.policy();
            if (policy != null) {
                policies.put(agent.name(), policy);
            }
        }
        return Map.copyOf(policies);
    }

    /** The caps of the runtime hold for the bodies of all agents together. */
    private static Assembly.AgentParts parts(AgentBuilder agent, ToolDispatcher shared, PluginStack stack) {
        SessionSettings settings = agent.settings();
        ToolRegistry registry = agent.registry();
        PluginStack plugins = agent.plugins() == null ? stack : agent.plugins();
        AgentPlugins.compareTools(registry, plugins);
        return new Assembly.AgentParts(agent.name(), settings, registry,
                shared.offering(registry.catalog().provider()),
                shared.offering(registry.provider()).showing(plugins.callerView()), plugins,
                plugins.callerView());
    }

    /** What was begun must not go on without a runtime that can be closed. */
    private static void close(Runnable open, Throwable because) {
        try {
            open.run();
        } catch (RuntimeException | Error e) {
            because.addSuppressed(e);
        }
    }

    private ToolDispatcherBuilder dispatch(ToolProvider provider) {
        ToolDispatcherBuilder dispatch = ToolDispatcher.builder(provider)
                .time(time)
                .random(random)
                .hostValues(hostValues)
                .timeout(timeout);
        carriers.forEach(dispatch::carrier);
        return dispatch;
    }
}
