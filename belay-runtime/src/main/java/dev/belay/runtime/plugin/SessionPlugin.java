package dev.belay.runtime.plugin;

/**
 * A plugin in one session. It keeps nothing that matters in its fields: it is built again in other processes, and whenever the session
 * was forgotten here. Thread-safe: hooks of parallel calls run side by side.
 */
@FunctionalInterface
public interface SessionPlugin {

    /** Takes no part in the session. */
    SessionPlugin NONE = on -> {};

    /** Registers everything; what is registered later is refused. Throwing refuses the session, with the plugin named. */
    void register(PluginRegistrar on);

    /** All plugins are registered and their states restored. Throwing refuses the session, with the plugin named. */
    default void ready() {}
}
