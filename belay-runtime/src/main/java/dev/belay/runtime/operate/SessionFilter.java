package dev.belay.runtime.operate;

import dev.belay.runtime.store.SessionProfile;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions a list has. What is null or empty does not count. Immutable.
 *
 * @param agent that answers them
 * @param state how they stand
 * @param labels that they have, among others
 * @param prefix what their names begin with
 */
public record SessionFilter(@Nullable String agent, SessionEntry.@Nullable State state,
        Map<String, String> labels, String prefix) {

    /** All sessions. */
    public static final SessionFilter ALL = new SessionFilter(null, null, Map.of(), "");

    /** Copies the labels. */
    public SessionFilter {
        labels = Map.copyOf(labels);
    }

    /** Only those of an agent. */
    public SessionFilter agent(String name) {
        return new SessionFilter(SessionProfile.requireAgent(name), state, labels, prefix);
    }

    /** Only those in a state. */
    public SessionFilter state(SessionEntry.State which) {
        return new SessionFilter(agent, which, labels, prefix);
    }

    /** Only those with a label. */
    public SessionFilter label(String name, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(name, value);
        return new SessionFilter(agent, state, more, prefix);
    }

    /** Only those whose names begin with a text. */
    public SessionFilter prefix(String text) {
        return new SessionFilter(agent, state, labels, text);
    }

    boolean isAll() {
        return agent == null && state == null && labels.isEmpty();
    }

    boolean has(SessionEntry entry) {
        SessionProfile profile = entry.head().profile();
        return (agent == null || agent.equals(profile.agent())) && (state == null || state == entry.state())
                && profile.labels().entrySet().containsAll(labels.entrySet());
    }
}
