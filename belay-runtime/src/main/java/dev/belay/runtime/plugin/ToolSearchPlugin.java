package dev.belay.runtime.plugin;

import java.util.Objects;

/**
 * Lets models find tools among many with {@code search_tools}, in every session of {@link PluginStack#runtime}. It is offered as soon as
 * there is a tool to be found: one that is not resident, or one that was left out because all of them would take too much of the
 * context. Replace it to have another share; remove it to offer all members always. Thread-safe.
 */
public final class ToolSearchPlugin implements PluginFactory {

    /** Its id in a stack. */
    public static final String ID = "tool-search";

    private final SessionPlugin plugin;

    /** The default: {@link ToolSearchConfig#DEFAULT}. */
    public ToolSearchPlugin() {
        this(ToolSearchConfig.DEFAULT);
    }

    /** Another search. */
    public ToolSearchPlugin(ToolSearchConfig config) {
        Objects.requireNonNull(config, "config");
        plugin = on -> on.discovery().search(config);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return plugin;
    }
}
