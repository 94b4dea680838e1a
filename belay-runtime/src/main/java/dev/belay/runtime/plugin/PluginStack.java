package dev.belay.runtime.plugin;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.output.OutputProjector.CallerView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** The plugins of an agent, in their order. Confined to one thread; a runtime takes a copy. */
public final class PluginStack {

    private final List<PluginFactory> factories = new ArrayList<>();
    private final Map<String, Json> options = new HashMap<>(0);

    private PluginStack() {}

    /** What a runtime has by itself: {@link OutputBudgetPlugin}, {@link RollingHistory} and {@link ToolSearchPlugin}. */
    public static PluginStack runtime() {
        return new PluginStack().push(new OutputBudgetPlugin())
                .push(new RollingHistory())
                .push(new ToolSearchPlugin());
    }

    /** No plugin at all. */
    public static PluginStack empty() {
        return new PluginStack();
    }

    /** Another stack of the same plugins and options. */
    public PluginStack copy() {
        var stack = new PluginStack();
        stack.factories.addAll(factories);
        stack.options.putAll(options);
        return stack;
    }

    /** Appends a plugin; {@code duplicate_plugin} if its id is there. */
    public PluginStack push(PluginFactory factory) {
        requireId(factory);
        if (place(factory.id()) >= 0) {
            throw new BelayException("duplicate_plugin", "there is a plugin \"" + factory.id()
                    + "\" already; replace(…) puts another one in its place");
        }
        factories.add(factory);
        return this;
    }

    /** Puts a plugin in the place of the one with its id; {@code unknown_plugin} if there is none. */
    public PluginStack replace(PluginFactory factory) {
        requireId(factory);
        factories.set(known(factory.id()), factory);
        return this;
    }

    /** Removes a plugin; {@code unknown_plugin} if there is none. */
    public PluginStack remove(String id) {
        factories.remove(known(id));
        options.remove(id);
        return this;
    }

    /**
     * Says something to a plugin that one factory builds differently for different agents: its {@link PluginSession#options}.
     *
     * @param given in place of what was said before
     */
    public PluginStack options(String id, Json given) {
        options.put(factories.get(known(id)).id(), given);
        return this;
    }

    /** What is said to a plugin; an empty object for nothing. */
    public Json options(String id) {
        return options.getOrDefault(id, Json.EMPTY_OBJECT);
    }

    /** Changes this stack. */
    public PluginStack configure(Consumer<PluginStack> change) {
        change.accept(this);
        return this;
    }

    /** The plugins, in their order. */
    public List<PluginFactory> factories() {
        return List.copyOf(factories);
    }

    /** What programs are shown of outputs outside sessions: what the output budget says, if it is here. */
    public CallerView callerView() {
        return factories.stream()
                .filter(OutputBudgetPlugin.class::isInstance)
                .map(factory -> ((OutputBudgetPlugin) factory).caller())
                .findFirst()
                .orElse(CallerView.WHOLE);
    }

    private static void requireId(PluginFactory factory) {
        String id = Objects.requireNonNull(factory.id(), "id");
        if (!id.matches("[a-zA-Z0-9_.-]{1,64}")) {
            throw new IllegalArgumentException(
                    "a plugin is named by 1 to 64 letters, digits, _, - and ., found \"" + id + "\"");
        }
    }

    private int known(String id) {
        int place = place(id);
        if (place < 0) {
            throw new BelayException("unknown_plugin", "there is no plugin \"" + id + "\"; there are "
                    + factories.stream().map(PluginFactory::id).toList());
        }
        return place;
    }

    private int place(String id) {
        for (int i = 0; i < factories.size(); i++) {
            if (factories.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }
}
