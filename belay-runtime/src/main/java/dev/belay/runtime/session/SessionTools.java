package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.SourceHandle;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.session.state.TurnTools;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.tool.ToolProvider;
import java.util.Collection;
import java.util.List;

/**
 * The tools of one session. What is decided here is kept at once, takes effect at the next question to the model and is part of
 * that turn's commit. Sources are live: add them again after a restart. Thread-safe.
 */
public final class SessionTools {

    private final SessionCommands commands;
    private final TurnServices agent;

    SessionTools(SessionCommands commands, TurnServices agent) {
        this.commands = commands;
        this.agent = agent;
    }

    /**
     * Adds tools for this session alone, in this process.
     *
     * @throws BelayException as {@link ToolRegistry#add(ToolProvider)}; {@code plugin_failed} if a plugin does not come about in the session
     */
    public SourceHandle add(ToolProvider provider) {
        ToolRegistry own = agent.tools().own(commands.session());
        agent.toolsOf(commands.session(), null); // names of its plugins' tools are kept free from here on
        return own.add(provider);
    }

    /** All tools of the session and how they stand, what waits for the next turn included. */
    public List<ListedTool> list() {
        return now().registry().list();
    }

    /** What the model will be offered next. */
    public ToolCatalog catalog() {
        return now().catalog();
    }

    /** Makes tools members of the session, or not. Names that no tool has are in the answer, and change nothing. */
    public MembershipChanges setMembership(Collection<String> names, boolean present) {
        return change(names, present ? Membership.PRESENT : Membership.ABSENT);
    }

    /** Takes back what was decided about tools: what the runtime says about them holds again. */
    public MembershipChanges resetMembership(Collection<String> names) {
        return change(names, Membership.DEFAULT);
    }

    private MembershipChanges change(Collection<String> names, Membership membership) {
        MembershipChanges changes = now().registry().resolve(names, membership);
        if (!changes.changes().isEmpty()) {
            commands.give(new ToolCommand.Change(changes.changes()));
        }
        return changes;
    }

    ToolState state() {
        return now().registry().state();
    }

    void applyState(ToolState next) {
        commands.give(now -> {
            TurnTools tools = tools(now);
            long generation = tools.registry().generation();
            if (next.generation() != generation) {
                throw new BelayException("generation_mismatch", "the tools of session " + commands.session()
                        + " are of generation " + generation + ", the state to apply is made for "
                        + next.generation() + "; read the state again and repeat the change");
            }
            tools.apply(new ToolCommand.Apply(next));
            return new ToolCommand.Apply(next);
        });
    }

    void restoreState(ToolState saved) {
        commands.give(now -> new ToolCommand.Restore(saved));
    }

    /** The tools of the session as they will be once everything that waits was taken. */
    private TurnTools now() {
        return tools(commands.now());
    }

    private TurnTools tools(SessionCommands.Now now) {
        return TurnTools.of(agent.toolsOf(commands.session(), null), now);
    }
}
