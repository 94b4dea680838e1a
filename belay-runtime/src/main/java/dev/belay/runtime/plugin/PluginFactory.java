package dev.belay.runtime.plugin;

import dev.belay.tool.ToolDefinition;
import java.util.List;

/**
 * A plugin of a runtime: has what is expensive and shared, and builds a {@link SessionPlugin} for each session. One factory may serve
 * several runtimes. Thread-safe.
 */
public interface PluginFactory {

    /** Unique in a stack, and kept with the state of sessions; 1 to 64 letters, digits, {@code _}, {@code -} and {@code .} */
    String id();

    /**
     * The plugin of one session, or {@link SessionPlugin#NONE}. Called when a session, a child or a fork is first used in this process,
     * and again whenever it was forgotten meanwhile; so what a session must remember is a {@link dev.belay.tool.context.PluginState}.
     * Does no I/O: more than 5 ms is a warning in the log.
     */
    SessionPlugin build(PluginSession session);

    /**
     * The tools that its session plugins may register, as far as they are known without a session; none by default. {@code build()} of a
     * runtime refuses a name or id that stands there twice. What is not said here is compared when a session is first used. The tools
     * are not run: a session plugin registers its own.
     */
    default List<ToolDefinition> declaredTools() {
        return List.of();
    }

    /** Lets go of what the factory has; once, after the last runtime that uses it was closed. */
    default void close() {}
}
