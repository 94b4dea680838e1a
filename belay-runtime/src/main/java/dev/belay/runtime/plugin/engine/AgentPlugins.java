package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins of one agent: builds those of each session, and remembers them for a while. Thread-safe. */
public final class AgentPlugins {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");
    /** A build that takes longer does what it must not do. */
    private static final long SLOW = Duration.ofMillis(5).toNanos();
    private static final int MOST_REMEMBERED = 10_000;
    /** How many agents use a factory, in all runtimes of this process. */
    private static final IdentityHashMap<PluginFactory, Integer> USES = new IdentityHashMap<>();

    private final String agent;
    private final List<PluginFactory> factories;
    private final Function<String, Json> options;
    private final LongSupplier nanos;
    private final Map<String, Long> fastest = new ConcurrentHashMap<>();
    private final Map<Class<?>, ToolMethods> methods = new ConcurrentHashMap<>();
    private final Set<String> stale = ConcurrentHashMap.newKeySet();
    private final Function<Object, ToolMethods> toolMethods = this::methods;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionId, SessionPlugins> built = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, SessionPlugins> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /**
     * The plugins of an agent.
     *
     * @param stack a copy of its own, which stays as it is
     * @param nanos a clock that only goes forward
     */
    public AgentPlugins(String agent, PluginStack stack, LongSupplier nanos) {
        this.agent = agent;
        this.factories = stack.factories();
        this.options = stack::options;
        this.nanos = nanos;
        synchronized (USES) {
            this.factories.forEach(factory -> USES.merge(factory, 1, Integer::sum));
        }
    }

    /**
     * The plugins of a session; {@code plugin_failed} if one of them does not come about.
     *
     * @param incarnation of the session, null before it was made
     * @param head asked if they are to be built
     */
    public SessionPlugins of(SessionId session, @Nullable Incarnation incarnation,
            Supplier<Optional<SessionHead>> head) {
        if (factories.isEmpty()) {
            return SessionPlugins.NONE;
        }
        SessionPlugins known = remembered(session);
        if (known != null && known.isOf(incarnation)) {
            return known;
        }
        Optional<SessionHead> found = head.get();
        if (known != null && incarnation != null && known.become(incarnation, found)) {
            return known;
        }
        SessionPlugins made = build(session, incarnation, found);
        lock.lock();
        try {
            built.put(session, made);
        } finally {
            lock.unlock();
        }
        return made;
    }

    /**
     * Compares the tools that plugins declare without a session with each other and with those of their agent.
     *
     * @throws BelayException {@code plugin_conflict} if a name or id stands there twice; {@code plugin_failed} if a plugin cannot say
     */
    public static void compareTools(ToolRegistry agent, PluginStack stack) {
        List<SessionPlugins.Of<ToolProvider>> declared = new ArrayList<>(0);
        for (PluginFactory factory : stack.factories()) {
            List<ToolDefinition> tools = call(factory.id(), "say which tools it has",
                    () -> List.copyOf(factory.declaredTools()));
            if (!tools.isEmpty()) {
                declared.add(new SessionPlugins.Of<>(factory.id(), new Declared(tools)));
            }
        }
        SessionPlugins.below(agent, declared);
    }

    /** Tools that are compared and never run. */
    private record Declared(List<ToolDefinition> definitions) implements ToolProvider {

        @Override
        public Object execute(PreparedCall call) {
            throw new IllegalStateException("declared tools are compared, and not run");
        }
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return factories.isEmpty();
    }

    private @Nullable SessionPlugins remembered(SessionId session) {
        lock.lock();
        try {
            return built.get(session);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the plugins of a session that was deleted. */
    public void forget(SessionId session) {
        lock.lock();
        try {
            built.remove(session);
        } finally {
            lock.unlock();
        }
    }

    private SessionPlugins build(SessionId id, @Nullable Incarnation incarnation,
            Optional<SessionHead> head) {
        PluginSession session = session(id, head);
        var plugins = new SessionPlugins(incarnation, stale);
        var all = new SessionPlugin[factories.size()];
        for (int i = 0; i < all.length; i++) {
            PluginFactory factory = factories.get(i);
            SessionPlugin plugin = built(factory, session.with(options.apply(factory.id())));
            all[i] = plugin;
            var registrar = new Registrations(plugins, factory.id(), toolMethods);
            run(factory.id(), "register", id, () -> plugin.register(registrar));
            registrar.end();
        }
        plugins.whenRestored(() -> {
            for (int i = 0; i < all.length; i++) {
                run(factories.get(i).id(), "get ready", id, all[i]::ready);
            }
        });
        return plugins;
    }

    private SessionPlugin built(PluginFactory factory, PluginSession session) {
        long start = nanos.getAsLong();
        SessionPlugin made = call(factory.id(), "be built in session " + session.id(),
                () -> Objects.requireNonNull(factory.build(session), "build returned null"));
        long took = nanos.getAsLong() - start;
        long fastest = fastest(factory.id(), took);
        if (took > SLOW) {
            LOG.warn(
                    "Plugin {} took {} ms to build for session {}, its fastest build {} µs; build(…) must do no"
                            + " I/O: do it once, in the factory. If other builds are fast, the machine was busy",
                    factory.id(), Duration.ofNanos(took).toMillis(), session.id(), fastest / 1_000);
        }
        return made;
    }

    /** The time of the fastest build of a plugin so far: waiting for a busy processor and for I/O look alike in a single one. */
    private long fastest(String plugin, long took) {
        Long known = fastest.get(plugin);
        return known != null && known <= took ? known : fastest.merge(plugin, took, Math::min);
    }

    private static void run(String plugin, String what, SessionId session, Runnable action) {
        call(plugin, what + " in session " + session, () -> {
            action.run();
            return true;
        });
    }

    private static <T> T call(String plugin, String what, Supplier<T> action) {
        try {
            return action.get();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (e instanceof BelayException named && named.code().equals("plugin_conflict")) {
                throw named;
            }
            throw new BelayException("plugin_failed",
                    "plugin " + plugin + " could not " + what + ": " + HookThread.worded(e), e);
        }
    }

    private PluginSession session(SessionId id, Optional<SessionHead> head) {
        Optional<SessionId> parent = head.flatMap(SessionHead::parent);
        boolean forked = head.filter(found -> !found.origin().isNull()
                && found.origin().get("forked").isPresent()).isPresent();
        int depth = parent.flatMap(unused -> head.orElseThrow().origin().get("depth"))
                .map(Json::asInt)
                .orElse(0);
        return new PluginSession(id, agent, parent, depth, parent.isPresent()
                ? PluginSession.Reason.CHILD
                : forked ? PluginSession.Reason.FORK : PluginSession.Reason.OPEN,
                Json.EMPTY_OBJECT);
    }

    private ToolMethods methods(Object target) {
        return methods.computeIfAbsent(target.getClass(), type -> ToolMethods.of(target)).on(target);
    }

    /** Lets go of the factories; each is closed if no other agent uses it. */
    public void close() {
        for (PluginFactory factory : factories) {
            boolean last;
            synchronized (USES) {
                last = USES.merge(factory, -1, (now, less) -> now + less == 0 ? null : now + less) == null;
            }
            if (last) {
                try {
                    factory.close();
                } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                    LOG.warn("Plugin {} could not be closed", factory.id(), e);
                }
            }
        }
    }
}
