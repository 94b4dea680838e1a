package dev.belay.runtime.policy;

import dev.belay.json.Json;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call as a policy sees it.
 *
 * @param agent whose call it is; the policy of a session above is asked once for each agent from that session down to the call
 * @param session of the call, or null outside any session
 * @param tool the name of the tool
 * @param effect what the tool does to the world
 * @param tags of the tool
 * @param arguments the final ones
 * @param depth how many sessions stand above the session of the call
 * @param earlier how many calls of this tool stand before it in its turn, in the model's order
 * @param failures how often the same call, with the same arguments, was denied or failed in earlier rounds of its turn
 * @param standing what stands in the session: its grants, and whether it has unsettled doubts
 */
public record PolicyCall(String agent, @Nullable String session, String tool, ToolEffect effect,
        List<String> tags,
        Json arguments, int depth, int earlier, int failures, Standing standing) {

    /**
     * What stands in a session. The runtime reads it when a policy asks for it, and gives the same answer throughout one decision. A grant lets a
     * call run about which a rule asks, whether or not the policy looks at it. Thread-safe.
     */
    public interface Standing {

        /** Of a session without grants and doubts, and of calls outside any session. */
        Standing NONE = new Standing() {};

        /** Approvals that hold for further calls; a process has none. */
        default List<Grant> grants() {
            return List.of();
        }

        /** Whether calls of the session may have happened and are not settled. */
        default boolean isInDoubt() {
            return false;
        }
    }

    /** So often the same call may be denied or fail in one turn; the next one meets the repeat guard. */
    public static final int MOST_FAILURES = 3;

    /** Copies the tags. */
    public PolicyCall {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(effect, "effect");
        Objects.requireNonNull(arguments, "arguments");
        Objects.requireNonNull(standing, "standing");
        tags = List.copyOf(tags);
    }

    /** A call of the agent {@code default}, of a {@code ONCE} tool without tags: for examples, and for {@link RulePolicy#explain}. */
    public static PolicyCall of(String tool, Json arguments) {
        return new PolicyCall("default", null, tool, ToolEffect.ONCE, List.of(), arguments, 0, 0, 0,
                Standing.NONE);
    }

    /** A call of a declared tool. */
    public static PolicyCall of(ToolManifest tool, Json arguments) {
        return of(tool.name(), arguments).effect(tool.effect()).tags(tool.tags());
    }

    /** The same with another effect. */
    public PolicyCall effect(ToolEffect other) {
        return new PolicyCall(agent, session, tool, other, tags, arguments, depth, earlier, failures,
                standing);
    }

    /** The same with other tags. */
    public PolicyCall tags(List<String> other) {
        return new PolicyCall(agent, session, tool, effect, other, arguments, depth, earlier, failures,
                standing);
    }

    /** The same of another agent. */
    public PolicyCall agent(String other) {
        return new PolicyCall(other, session, tool, effect, tags, arguments, depth, earlier, failures,
                standing);
    }

    /** The same after other calls of the tool in its turn. */
    public PolicyCall earlier(int calls) {
        return new PolicyCall(agent, session, tool, effect, tags, arguments, depth, calls, failures,
                standing);
    }

    /** The same after equal calls in its turn that were denied or failed. */
    public PolicyCall failures(int calls) {
        return new PolicyCall(agent, session, tool, effect, tags, arguments, depth, earlier, calls, standing);
    }

    /** The same in a session in which this stands. */
    public PolicyCall standing(Standing other) {
        return new PolicyCall(agent, session, tool, effect, tags, arguments, depth, earlier, failures, other);
    }

    /** The same in a session with unsettled doubts. */
    public PolicyCall inDoubt() {
        List<Grant> grants = standing.grants();
        return standing(new Standing() {
            @Override
            public List<Grant> grants() {
                return grants;
            }

            @Override
            public boolean isInDoubt() {
                return true;
            }
        });
    }
}
