package dev.belay.tool.call;

import dev.belay.BelayException;
import dev.belay.schema.NearestNames;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The first gate: whether a name that a model says is offered to it. Immutable, thread-safe.
 */
public final class Admission {

    private static final int NEAREST = 3;
    private static final int MOST_LISTED = 20;
    private static final int LONGEST_SHOWN = 64;

    private final Map<String, ToolDefinition> offered;
    private final List<String> others;

    private Admission(Map<String, ToolDefinition> offered, List<String> others) {
        this.offered = offered;
        this.others = others;
    }

    /**
     * A gate.
     *
     * @param offered the tools that the model was shown, in order; {@code duplicate_tool_name} if two share a name
     * @param others names of tools that exist but were not shown
     */
    public static Admission of(Collection<ToolDefinition> offered, Collection<String> others) {
        requireUnique(offered);
        Map<String, ToolDefinition> byName = new LinkedHashMap<>();
        offered.forEach(definition -> byName.put(definition.name(), definition));
        return new Admission(byName, List.copyOf(others));
    }

    /** Refuses two tools of one name or id, naming both. */
    public static void requireUnique(Collection<ToolDefinition> definitions) {
        Map<String, ToolDefinition> byName = new HashMap<>();
        Map<ToolId, ToolDefinition> byId = new HashMap<>();
        for (ToolDefinition definition : definitions) {
            ToolDefinition sameName = byName.put(definition.name(), definition);
            if (sameName != null) {
                throw new BelayException("duplicate_tool_name", "tool name \"" + definition.name()
                        + "\" stands twice: " + sameName.id() + " and " + definition.id());
            }
            ToolDefinition sameId = byId.put(definition.id(), definition);
            if (sameId != null) {
                throw new BelayException("duplicate_tool_id",
                        "tool id " + definition.id() + " stands twice: \""
                                + sameId.name() + "\" and \"" + definition.name() + "\"");
            }
        }
    }

    /** The tool of that name, if it was offered. */
    public Optional<ToolDefinition> find(String name) {
        return Optional.ofNullable(offered.get(name));
    }

    /** Why a name that was not offered cannot be called: {@code tool_unavailable} or {@code unknown_tool}. */
    public ToolFailure refusal(String name) {
        if (others.contains(name)) {
            return ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "tool_unavailable",
                    "tool " + name + " exists but is not available here" + available());
        }
        List<String> nearest = NearestNames.of(name, offered.keySet(), NEAREST);
        String hint = nearest.isEmpty()
                ? available()
                : "; did you mean " + String.join(" or ", nearest) + "?";
        return ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "unknown_tool",
                "there is no tool \"" + Wording.shown(name, LONGEST_SHOWN) + "\"" + hint);
    }

    private String available() {
        return offered.isEmpty()
                ? "; no tools are available"
                : "; available: "
                        + offered.keySet().stream().limit(MOST_LISTED).collect(Collectors.joining(", "))
                        + (offered.size() > MOST_LISTED
                                ? " and " + (offered.size() - MOST_LISTED) + " more"
                                : "");
    }
}
