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
 * @param agent whose policy is asked
 * @param session of the call, or null outside any session
 * @param tool the name of the tool
 * @param effect what the tool does to the world
 * @param tags of the tool
 * @param arguments the final ones
 * @param depth how many sessions stand above the session of the call
 * @param earlier how many calls of this tool stand before it in its turn, in the model's order
 * @param failures how often the same call, with the same arguments, was denied or failed in earlier rounds of its turn
 */
public record PolicyCall(String agent, @Nullable String session, String tool, ToolEffect effect,
        List<String> tags,
        Json arguments, int depth, int earlier, int failures) {

    /** So often the same call may be denied or fail in one turn; the next one meets the repeat guard. */
    public static final int MOST_FAILURES = 3;

    /** Copies the tags. */
    public PolicyCall {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(effect, "effect");
        Objects.requireNonNull(arguments, "arguments");
        tags = List.copyOf(tags);
    }

    /** A call of the agent {@code default}, of a {@code ONCE} tool without tags: for examples, and for {@link RulePolicy#explain}. */
    public static PolicyCall of(String tool, Json arguments) {
        return new PolicyCall("default", null, tool, ToolEffect.ONCE, List.of(), arguments, 0, 0, 0);
    }

    /** A call of a declared tool. */
    public static PolicyCall of(ToolManifest tool, Json arguments) {
        return of(tool.name(), arguments).effect(tool.effect()).tags(tool.tags());
    }

    /** The same with another effect. */
    public PolicyCall effect(ToolEffect other) {
        return new PolicyCall(agent, session, tool, other, tags, arguments, depth, earlier, failures);
    }

    /** The same with other tags. */
    public PolicyCall tags(List<String> other) {
        return new PolicyCall(agent, session, tool, effect, other, arguments, depth, earlier, failures);
    }

    /** The same of another agent. */
    public PolicyCall agent(String other) {
        return new PolicyCall(other, session, tool, effect, tags, arguments, depth, earlier, failures);
    }

    /** The same after other calls of the tool in its turn. */
    public PolicyCall earlier(int calls) {
        return new PolicyCall(agent, session, tool, effect, tags, arguments, depth, calls, failures);
    }

    /** The same after equal calls in its turn that were denied or failed. */
    public PolicyCall failures(int calls) {
        return new PolicyCall(agent, session, tool, effect, tags, arguments, depth, earlier, calls);
    }
}
