package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;

/** A plugin cannot read the state that is kept for it, or a change of it; another build of it may. */
public final class NotRestoredException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final String plugin;

    NotRestoredException(String plugin, Throwable why) {
        super("plugin_not_restored", "plugin " + plugin + ": " + HookThread.worded(why), why);
        this.plugin = plugin;
    }

    public String plugin() {
        return plugin;
    }
}
