package dev.belay.runtime.plugin.engine;

import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.ModelSettings;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.plugin.engine.SessionPlugins.Of;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The hooks of a session's plugins on how the coming question is asked. Confined to the thread that asks.
 *
 * @param plugins of the session
 * @param view what they read
 * @param time for the bound of 5 seconds
 */
public record ConfigHooks(SessionPlugins plugins, StateView view, TimeSource time) {

    /** Whether no plugin says how the model is asked. */
    public boolean isEmpty() {
        return plugins.configs.isEmpty();
    }

    /**
     * Asks the plugins in their order. {@link PluginFailure} if one throws, hangs, or says what cannot be.
     *
     * @param now the settings that the next one sees
     * @param over takes over what one says
     */
    public void ask(Supplier<ModelSettings> now, Consumer<ModelSettings> over) {
        for (Of<BiFunction<PluginView, ModelSettings, ModelSettings>> one : plugins.configs) {
            ModelSettings seen = now.get();
            try {
                over.accept(HookThread.run(time, thread -> {
                    thread.enters(one.plugin());
                    return Objects.requireNonNull(one.value().apply(view, seen), "the hook returned null");
                }));
            } catch (RuntimeException failure) { // of the hook, or of names that are not there
                throw new PluginFailure(new TurnHooked.Stop(one.plugin(), "config_hook_failed",
                        "plugin " + one.plugin() + " could not say how the model is asked: "
                                + failure.getMessage()),
                        failure);
            }
        }
    }
}
