package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.runtime.operate.MisconfiguredTurn;
import dev.belay.runtime.operate.UnrestoredPlugin;
import dev.belay.runtime.plugin.engine.NotRestoredException;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.inbox.UnenteredTurns;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.law.SessionReads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The agents that a runtime defines, each with what its turns use. Filled by the assembly; thread-safe. */
public final class Agents {

    private final Map<String, TurnServices> byName = new ConcurrentHashMap<>();

    private final UnenteredTurns unentered = new UnenteredTurns();
    private final boolean elsewhere;

    /**
     * No agent.
     *
     * @param elsewhere whether agents are defined by other programs, so that names of models are not checked here
     */
    public Agents(boolean elsewhere) {
        this.elsewhere = elsewhere;
    }

    public void add(TurnServices agent) {
        byName.put(agent.agent(), agent);
    }

    /** What turns of all agents share: everything but settings, tools, dispatchers and bodies. */
    public TurnServices shared() {
        return of(SessionProfile.DEFAULT_AGENT);
    }

    /** An agent that is defined here. */
    public Optional<TurnServices> find(String agent) {
        return Optional.ofNullable(byName.get(agent));
    }

    /** An agent, the default one also without a model; {@code unknown_agent} if it is not defined here. */
    public TurnServices of(String agent) {
        return find(agent).orElseThrow(() -> unknown(agent));
    }

    /** An agent that can answer turns; {@code unknown_agent} if it is not defined here. */
    public TurnServices defined(String agent) {
        return find(agent).filter(found -> found.settings().models().canAnswer())
                .orElseThrow(() -> unknown(agent));
    }

    /** What is thrown for an agent that is not defined here. */
    public BelayException unknown(String agent) {
        String how = agent.equals(SessionProfile.DEFAULT_AGENT)
                ? "model(…)"
                : "agent(\"" + agent + "\", …)";
        return new BelayException("unknown_agent", "there is no agent \"" + agent + "\" here; there are "
                + names() + ". Define it with " + how + " of the builder");
    }

    /**
     * Refuses names of models and variants that the agent of a session does not have; the same settings.
     *
     * @param demanded the agent that the session must have; null for the one it has
     */
    public TurnSettings known(SessionId session, @Nullable String demanded, TurnSettings settings) {
        if (elsewhere || (settings.model() == null && settings.variant() == null)) {
            return settings;
        }
        TurnServices agent = demanded == null ? of(session) : of(demanded);
        return agent.settings().models().known(settings);
    }

    /** The agent of a session, that of new ones if there is none; {@code unknown_agent} if it is not defined here. */
    public TurnServices of(SessionId session) {
        return of(nameOf(session).orElse(SessionProfile.DEFAULT_AGENT));
    }

    /**
     * Throws {@code plugin_failed} or {@code plugin_conflict} if the plugins of a session cannot be built or get ready here, or if it would
     * have a tool twice.
     *
     * @param demanded the agent that the session must have; null for the one it has
     */
    public void requirePlugins(SessionId session, @Nullable String demanded) {
        if (byName.size() == 1 && shared().plugins().isEmpty()) {
            return;
        }
        SessionHead head = shared().store().read(SessionReads.head(session)).orElse(null);
        String agent = head != null
                ? head.profile().agent()
                : demanded == null ? SessionProfile.DEFAULT_AGENT : demanded;
        find(agent).ifPresent(found -> {
            SessionPlugins plugins = found.pluginsOf(session, head == null ? null : head.incarnation());
            plugins.tools(found.tools().of(session));
            if (!plugins.isReady() && isRestored(found, plugins, head)) {
                plugins.ready();
            }
        });
    }

    /** A turn whose plugins cannot be restored here is accepted and waits: another build may read what is kept. */
    private static boolean isRestored(TurnServices agent, SessionPlugins plugins,
            @Nullable SessionHead head) {
        try {
            agent.restored(plugins, head);
            return true;
        } catch (NotRestoredException e) {
            return false;
        }
    }

    /** The name of the agent of a session, wherever that is defined; empty if there is no such session. */
    public Optional<String> nameOf(SessionId session) {
        return shared().store()
                .read(SessionReads.head(session))
                .map(SessionHead::profile)
                .map(SessionProfile::agent);
    }

    /** The agents that can answer turns. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        byName.forEach((name, agent) -> {
            if (agent.settings().models().canAnswer()) {
                names.add(name);
            }
        });
        return names;
    }

    /** The turns that could not be entered here. */
    public UnenteredTurns unentered() {
        return unentered;
    }

    /** The turns that could not be entered here, because a plugin cannot read its state; the longest first. */
    public List<UnrestoredPlugin> waitingForPlugins() {
        return unentered.unrestored(shared().store());
    }

    /** The turns that could not be entered here, because the program is configured wrongly; the longest first. */
    public List<MisconfiguredTurn> misconfigured() {
        return unentered.misconfigured(shared().store());
    }

    /** Lets go of the plugins of all agents. */
    public void close() {
        byName.values().forEach(agent -> agent.plugins().close());
    }

    /** Drops the live tools of a session that was deleted. */
    public void forget(SessionId session) {
        byName.values().forEach(agent -> {
            agent.tools().forget(session);
            agent.plugins().forget(session);
        });
    }
}
