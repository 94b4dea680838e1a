package dev.belay.runtime.plugin;

/**
 * Watches something for a session, beside its turns: a process of its own, started once for each session and gone on with after a
 * restart. It may be entered again from its first line; only its events, steps and waits are recorded.
 */
@FunctionalInterface
public interface Monitor {

    /**
     * Watches until there is nothing more to watch.
     *
     * @throws Exception the process fails, and the session is told so
     */
    void watch(MonitorContext context) throws Exception;
}
