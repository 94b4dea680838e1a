package dev.belay.runtime.session.state;

import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.session.inbox.CarriedActions;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.store.Arrival;
import java.util.ArrayList;
import java.util.List;

/** Carries out what arrivals ask for beside the conversation: commands and actions, once each. Confined to the turn's thread. */
public final class TurnCommands {

    private final TurnConfig config;
    private final TurnTools tools;
    private final TurnPlugins plugins;
    private final TurnOutputs outputs;
    /** Few turns are joined by an arrival. */
    private final List<String> carriedOut = new ArrayList<>(0);
    private final CarriedActions actions = new CarriedActions();

    /** Of a turn that is entered. */
    public TurnCommands(TurnConfig config, TurnTools tools, TurnPlugins plugins, TurnOutputs outputs) {
        this.config = config;
        this.tools = tools;
        this.plugins = plugins;
        this.outputs = outputs;
    }

    /** Carries out the commands and actions among arrivals. What is recorded of an action is not asked again. */
    public void carryOut(List<Arrival> joined) {
        if (!joined.isEmpty()) {
            outputs.look(JoinedArrivals.messages(joined));
        }
        for (Arrival arrival : joined) {
            if (arrival.kind() == Arrival.Kind.NOTICE || carriedOut.contains(arrival.id())) {
                continue;
            }
            carriedOut.add(arrival.id());
            if (arrival.kind() == Arrival.Kind.COMMAND) {
                switch (SessionCommand.of(arrival.content())) {
                    case ToolCommand about -> tools.apply(about);
                    case SessionCommand.Settings(TurnSettings settings) -> config.apply(settings);
                    case SessionCommand.ResetPlugin(String plugin) -> plugins.reset(plugin);
                    case SessionCommand.Compact compact -> {
                    } // the history looks for it before the round
                }
            } else {
                ActedOn.of(arrival)
                        .ifPresentOrElse(known -> known.left().forEach(plugins::apply),
                                () -> act(arrival.id(), TurnInput.of(arrival.content())));
            }
        }
    }

    /** Carries out the commands of a coming question, then requires the model that it names; hooks were not asked yet. */
    public void open(List<Arrival> joined) {
        carryOut(joined);
        config.requireModel(plugins.session());
    }

    /** Carries out the action that an input asks for, if it asks for one. */
    public void act(String inputId, TurnInput input) {
        actions.act(plugins.actions(), inputId, input, plugins.states()).forEach(plugins::apply);
    }

    /** The actions of this entry that are in no record yet. */
    public CarriedActions actions() {
        return actions;
    }
}
