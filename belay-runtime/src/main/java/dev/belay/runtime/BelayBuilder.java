package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.dispatch.ContextCarrier;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.ToolDispatcherBuilder;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.engine.ProcessSettings;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.asking.SessionSettings;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import dev.belay.toolset.budget.Prices;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link Belay} is made of; everything but the model has a default. Confined to one thread. */
public final class BelayBuilder {

    private static final ToolProvider NO_TOOLS = StaticToolProvider.builder().build();

    private final Map<String, Model> models = new HashMap<>();
    private final Map<String, Generation> variants = new HashMap<>();
    private final Map<String, Prices> prices = new HashMap<>();
    private final List<ToolProvider> tools = new ArrayList<>();
    private final List<ContextCarrier> carriers = new ArrayList<>();
    private final Map<String, ProcessBody> processes = new HashMap<>();
    private HostValues hostValues = HostValues.NONE;
    private @Nullable SessionStore store;
    private String instructions = "";
    private TurnSettings defaults = TurnSettings.NONE;
    private TurnBounds bounds = TurnBounds.DEFAULT;
    private BiPredicate<SessionId, SessionId> snapshots = (reader, read) -> false;
    private CallCaps caps = CallCaps.NONE;
    private Duration timeout = ToolDispatcher.DEFAULT_TIMEOUT;
    private Duration parkAfter = HostOptions.PARK_AFTER;
    private TimeSource time = TimeSource.system();
    private RandomGenerator random = new SecureRandom();

    BelayBuilder() {}

    /** The model that answers turns. Without one the runtime runs calls and processes, and no turns. */
    public BelayBuilder model(Model model) {
        return model(Models.DEFAULT, model);
    }

    /**
     * Another model, for sessions and turns that ask for it by this name. The name is recorded, so keep it.
     *
     * @param name 1 to 100 characters, not blank; given once, {@code default} apart, where the last one counts
     */
    public BelayBuilder model(String name, Model model) {
        Model earlier = models.put(named("model", name), Objects.requireNonNull(model, "model"));
        refuseSecond("model", name, earlier != null && !name.equals(Models.DEFAULT));
        return this;
    }

    /**
     * A way of asking, for sessions and turns that ask for it by this name: what it sets stands over the generation below it, field
     * by field. The name is recorded, so keep it.
     *
     * @param name 1 to 100 characters, not blank, and not {@code default}, which is the name of none
     */
    public BelayBuilder variant(String name, Generation settings) {
        if (named("variant", name).equals(Models.DEFAULT)) {
            throw new IllegalArgumentException("the variant " + name
                    + " is the one that sets nothing; what holds for every question is set by generation(…)");
        }
        refuseSecond("variant", name,
                variants.put(name, Objects.requireNonNull(settings, "generation")) != null);
        return this;
    }

    /**
     * What a model costs, by its name here; {@code default} is the one without a name. Turns then say what they cost, and can be
     * bounded by it.
     */
    public BelayBuilder prices(String model, Prices newPrices) {
        prices.put(named("model", model), Objects.requireNonNull(newPrices, "prices"));
        return this;
    }

    private static void refuseSecond(String what, String name, boolean second) {
        if (second) {
            throw new IllegalArgumentException("there is a " + what + " \"" + name
                    + "\" already; sessions ask for it by that name, so give each another one");
        }
    }

    private static String named(String what, String name) {
        Models.checkName(what, Objects.requireNonNull(name, "name"));
        return name;
    }

    /** Tools for all sessions; none by default. Several sources stand in the order in which they were given. */
    public BelayBuilder tools(ToolProvider provider) {
        tools.add(Objects.requireNonNull(provider, "provider"));
        return this;
    }

    /** The methods of an object that are marked as tools. */
    public BelayBuilder toolMethods(Object target) {
        if (target instanceof Class<?> type) {
            throw new IllegalArgumentException("toolMethods needs an object with tools, not its class: new "
                    + type.getSimpleName() + "(…)");
        }
        return tools(ToolMethods.of(Objects.requireNonNull(target, "target")));
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
    public BelayBuilder store(SessionStore newStore) {
        store = Objects.requireNonNull(newStore, "store");
        return this;
    }

    /** What stands before every conversation; nothing by default. Not kept with the session. */
    public BelayBuilder instructions(String text) {
        instructions = Objects.requireNonNull(text, "instructions");
        return this;
    }

    /** How answers are to be made; the provider decides by default. */
    public BelayBuilder generation(Generation newGeneration) {
        defaults = defaults.withGeneration(newGeneration);
        return this;
    }

    /**
     * How much the model can read and write in one request. A request that is estimated to be longer is not sent, and its turn is
     * stopped. Unknown by default: the provider says so.
     */
    public BelayBuilder maxContextTokens(long tokens) {
        defaults = defaults.withMaxContextTokens(tokens);
        return this;
    }

    /** How far a turn may go; {@link TurnBounds#DEFAULT} by default. */
    public BelayBuilder bounds(TurnBounds newBounds) {
        bounds = Objects.requireNonNull(newBounds, "bounds");
        return this;
    }

    /** How many bodies may run at once; any number by default. */
    public BelayBuilder caps(CallCaps newCaps) {
        caps = Objects.requireNonNull(newCaps, "caps");
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

    /** Adds a carrier of context to the threads of bodies, beside the one for logging. */
    public BelayBuilder carrier(ContextCarrier carrier) {
        carriers.add(Objects.requireNonNull(carrier, "carrier"));
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
     * Opens the runtime: turns that were left behind in the store go on at once.
     *
     * @throws BelayException {@code model_missing} if only models with a name were given; {@code price_missing} if turns have a budget of cost and a
     *         model has no price; {@code unknown_model} if a price belongs to none; {@code duplicate_tool_name} or
     *         {@code duplicate_tool_id} if two tools cannot be told apart. After these the store is as it was given. Whatever is
     *         thrown because the runtime could not begin, {@code journal_unavailable} for example, has closed the store, as closing
     *         the runtime would
     */
    public Belay build() {
        if (!models.isEmpty() && !models.containsKey(Models.DEFAULT)) {
            throw new BelayException("model_missing",
                    "one model must answer the turns that name none: call model(…) before build(); only named ones"
                            + " were given: " + models.keySet());
        }
        var settings = new SessionSettings(new Models(models, variants, prices), instructions, defaults,
                bounds, snapshots);
        var registry = new ToolRegistry();
        tools.forEach(registry::add);
        ToolDispatcher calls = dispatch(registry.catalog().provider()).caps(caps).build();
        var bodies = new ProcessSettings(processes, dispatch(NO_TOOLS).build());
        SessionStore opened = store == null ? InMemoryStore.open() : store;
        JournalEffectHost host = null;
        try {
            host = JournalEffectHost.open(opened.journal(), HostOptions.DEFAULT.withTime(time)
                    .withParkAfter(parkAfter));
            ToolDispatcher direct = calls.offering(registry.provider());
            return new Belay(Assembly.open(new Assembly.Given(opened, host, registry, calls, direct,
                    settings, bodies, time, random)), registry);
        } catch (RuntimeException | Error e) {
            if (host != null) {
                close(host::close, e);
            }
            close(opened::close, e);
            throw e;
        }
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
