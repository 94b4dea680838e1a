package dev.belay.runtime.store.journal;

import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import java.util.Optional;

/** Which agent scopes of a kind need: a runtime takes them only if it defines that agent. */
public final class AgentKinds {

    private static final String CALLS = "calls/1";

    private AgentKinds() {}

    /** The kind of batches that call tools of an agent. */
    public static String calls(String agent) {
        return agent.equals(SessionProfile.DEFAULT_AGENT) ? CALLS : CALLS + "/" + agent;
    }

    /** Whether scopes of a kind are batches of calls, of whichever agent. */
    public static boolean isCalls(String kind) {
        return kind.equals(CALLS) || kind.startsWith(CALLS + "/");
    }

    /** The agent that scopes of a kind need; empty if they need none, or a program owns their loop. */
    public static Optional<String> agent(String kind) {
        if (isCalls(kind)) {
            return Optional.of(kind.equals(CALLS)
                    ? SessionProfile.DEFAULT_AGENT
                    : kind.substring(CALLS.length() + 1));
        }
        return TurnScope.agent(kind).or(() -> ProcessScope.agent(kind));
    }
}
