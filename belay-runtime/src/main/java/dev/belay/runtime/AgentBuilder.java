package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.asking.SessionSettings;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.toolset.budget.Prices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects what one agent is made of; everything but the model has a default. Confined to one thread. */
public final class AgentBuilder {

    private final String name;
    private final Map<String, Model> models = new HashMap<>();
    private final Map<String, Generation> variants = new HashMap<>();
    private final Map<String, Prices> prices = new HashMap<>();
    private final List<ToolProvider> tools = new ArrayList<>();
    private @Nullable PluginStack plugins;
    private String instructions = "";
    private TurnSettings defaults = TurnSettings.NONE;
    private TurnBounds bounds = TurnBounds.DEFAULT;
    private @Nullable Policy policy;

    AgentBuilder(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** The model that answers turns. */
    public AgentBuilder model(Model model) {
        return model(Models.DEFAULT, model);
    }

    /**
     * Another model, for sessions and turns that ask for it by this name. The name is recorded, so keep it.
     *
     * @param name 1 to 100 characters, not blank; given once, {@code default} apart, where the last one counts
     */
    public AgentBuilder model(String name, Model model) {
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
    public AgentBuilder variant(String name, Generation settings) {
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
    public AgentBuilder prices(String model, Prices newPrices) {
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

    /** Tools for all its sessions; none by default. Several sources stand in the order in which they were given. */
    public AgentBuilder tools(ToolProvider provider) {
        tools.add(Objects.requireNonNull(provider, "provider"));
        return this;
    }

    /** The methods of an object that are marked as tools. */
    public AgentBuilder toolMethods(Object target) {
        if (target instanceof Class<?> type) {
            throw new IllegalArgumentException("toolMethods needs an object with tools, not its class: new "
                    + type.getSimpleName() + "(…)");
        }
        return tools(ToolMethods.of(Objects.requireNonNull(target, "target")));
    }

    /**
     * What stands before every conversation; nothing by default. Not kept with the session; a session or a turn may have
     * others. */
    public AgentBuilder instructions(String text) {
        instructions = Objects.requireNonNull(text, "instructions");
        return this;
    }

    /** How answers are to be made; the provider decides by default. */
    public AgentBuilder generation(Generation newGeneration) {
        defaults = defaults.withGeneration(newGeneration);
        return this;
    }

    /**
     * How much the model can read and write in one request. A request that is estimated to be longer is not sent, and its turn is
     * stopped. Unknown by default: the provider says so.
     */
    public AgentBuilder maxContextTokens(long tokens) {
        defaults = defaults.withMaxContextTokens(tokens);
        return this;
    }

    /**
     * For how long a model that fails in a way that may pass is asked again, durably; 10 minutes by default. Zero ends a turn with the
     * first failure.
     */
    public AgentBuilder modelPatience(Duration patience) {
        defaults = defaults.withModelPatience(patience);
        return this;
    }

    /** How far a turn may go; {@link TurnBounds#DEFAULT} by default. */
    public AgentBuilder bounds(TurnBounds newBounds) {
        bounds = Objects.requireNonNull(newBounds, "bounds");
        return this;
    }

    /**
     * Decides which of its calls run, ask a person or are denied; for a named agent, {@link BelayBuilder#policy} by default. Sessions that its
     * calls make are decided about by it too.
     */
    public AgentBuilder policy(Policy newPolicy) {
        policy = Objects.requireNonNull(newPolicy, "policy");
        return this;
    }

    /** Its policy; null if it was not said which. */
    @Nullable
    Policy policy() {
        return policy;
    }

    /** Appends a plugin to its stack; {@code duplicate_plugin} if its id is there. */
    public AgentBuilder plugin(PluginFactory factory) {
        return configurePlugins(stack -> stack.push(factory));
    }

    /** Its plugins, in place of those it has; {@link PluginStack#runtime} by default, for a named agent those of the builder. */
    public AgentBuilder plugins(PluginStack stack) {
        plugins = stack.copy();
        return this;
    }

    /** Changes its plugins. */
    public AgentBuilder configurePlugins(Consumer<PluginStack> change) {
        plugins = plugins == null ? PluginStack.runtime() : plugins;
        change.accept(plugins);
        return this;
    }

    /** Its plugins; null if it was not said which. */
    @Nullable
    PluginStack plugins() {
        return plugins;
    }

    /** How its turns are run. */
    SessionSettings settings() {
        boolean needsModel = !models.isEmpty() || !name.equals(SessionProfile.DEFAULT_AGENT);
        if (needsModel && !models.containsKey(Models.DEFAULT)) {
            throw new BelayException("model_missing", models.isEmpty()
                    ? "the agent \"" + name + "\" has no model: call model(…) in its definition"
                    : "one model of the agent \"" + name
                            + "\" must answer the turns that name none: call model(…) before build(); only"
                            + " named ones were given: " + models.keySet());
        }
        return new SessionSettings(new Models(models, variants, prices), instructions, defaults, bounds);
    }

    ToolRegistry registry() {
        var registry = new ToolRegistry();
        tools.forEach(registry::add);
        return registry;
    }
}
