package dev.belay.runtime.session;

import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.archive.WholeSessions;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionProfile;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The settings of one session: over those of its agent, under those of a turn. What is set here is kept at once, takes effect
 * at the next question to the model and is part of that turn's commit. Thread-safe.
 */
public final class SessionConfig {

    private final SessionCommands commands;
    private final Agents agents;
    private final WholeSessions archive;
    private final Actor actor;

    SessionConfig(SessionCommands commands, Agents agents, WholeSessions archive, Actor actor) {
        this.commands = commands;
        this.agents = agents;
        this.archive = archive;
        this.actor = actor;
    }

    private TurnSettings known(TurnSettings settings) {
        return agents.known(commands.session(), commands.agent(), settings);
    }

    /** Gives the session to another agent, which answers it from the next turn on. The agent need not be defined here. */
    public VerbResult agent(String name) {
        SessionProfile.requireAgent(name);
        return archive.change(commands.session(), actor, "give to " + name, before -> before.withAgent(name));
    }

    /** What is set for the session, what waits for the next turn included. */
    public TurnSettings get() {
        return commands.now().settings();
    }

    /**
     * Makes these the session's settings, in place of those it has. {@link TurnSettings#NONE} leaves everything to the runtime.
     *
     * @throws dev.belay.BelayException {@code unknown_model} or {@code unknown_variant} if a name is not here
     */
    public void set(TurnSettings settings) {
        commands.give(new SessionCommand.Settings(known(settings)));
    }

    /**
     * The same with an id, so that giving it again, after a crash or a lost answer, is giving it once.
     *
     * @throws dev.belay.BelayException as {@link #set(TurnSettings)}, and {@code input_conflict} if the id is known with another
     *         content
     */
    public void set(TurnSettings settings, String id) {
        commands.give(new SessionCommand.Settings(known(settings)),
                Objects.requireNonNull(id, "id"));
    }

    /**
     * Changes some of the settings. The change is computed again if another arrival reaches the session meanwhile, so that nothing
     * that another program sets is lost.
     *
     * @throws dev.belay.BelayException as {@link #set(TurnSettings)}
     */
    public void change(UnaryOperator<TurnSettings> change) {
        commands.give(now -> new SessionCommand.Settings(
                known(change.apply(now.settings()))));
    }
}
