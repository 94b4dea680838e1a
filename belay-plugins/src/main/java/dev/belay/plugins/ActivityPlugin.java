package dev.belay.plugins;

import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;

/** Tells the stream of a session what each turn came to: the event {@code activity}, with the turn's commit. */
public final class ActivityPlugin implements PluginFactory {

    /**
     * What a turn came to.
     *
     * @param turn which
     * @param status {@code finished}, {@code refused}, or why it stopped
     * @param rounds how many times the model was asked
     * @param tokens how many were used, 0 if the model does not say
     */
    public record Activity(long turn, String status, int rounds, long tokens) {}

    /** Makes the factory. */
    public ActivityPlugin() {}

    @Override
    public String id() {
        return "activity";
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return on -> on.turn()
                .after((turn, end) -> turn.emit("activity", new Activity(turn.turn(), end.status(),
                        end.rounds(), end.usage().total().orElse(0))));
    }
}
