package dev.belay.runtime.catalog;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.ToolId;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a registry that can be stored: what was decided about each tool, and what is remembered of it. The sources
 * themselves are not in it.
 *
 * @param generation of the registry when it was taken
 * @param surface hash of everything the catalog showed then; tells a restored registry whether it shows the same
 * @param tools live tools in registration order, then orphans
 */
public record ToolState(long generation, String surface, List<Entry> tools) {

    /** The largest whole number that every reader of JSON keeps. */
    private static final long LAST_GENERATION = (1L << 53) - 1;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** Refuses a generation below 0, a surface that is no hash, and an id that stands twice. */
    public ToolState {
        if (generation < 0 || generation > LAST_GENERATION) {
            throw new IllegalArgumentException(
                    "the generation must be 0 to " + LAST_GENERATION + ", found " + generation);
        }
        if (!HASH.matcher(surface).matches()) {
            throw new IllegalArgumentException("the surface must be 64 lower-case hexadecimal digits");
        }
        tools = List.copyOf(tools);
        Set<ToolId> ids = new HashSet<>();
        for (Entry entry : tools) {
            if (!ids.add(entry.id())) {
                throw new IllegalArgumentException("tool id " + entry.id() + " stands twice");
            }
        }
    }

    /**
     * One tool.
     *
     * @param id the authority's name
     * @param tool what is remembered of it; null only of an orphan that was never seen
     * @param membership what was decided about it
     * @param orphaned whether its source is missing
     */
    public record Entry(ToolId id, @Nullable ToolSummary tool, Membership membership, boolean orphaned) {

        /** Refuses a live tool of which nothing is known. */
        public Entry {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(membership, "membership");
            if (tool == null && !orphaned) {
                throw new IllegalArgumentException(
                        "nothing is said about tool " + id + ", which is possible only of an orphan");
            }
        }
    }

    /** The entry of a tool. */
    public Optional<Entry> find(ToolId id) {
        return tools.stream().filter(entry -> entry.id().equals(id)).findFirst();
    }

    /** The same with another decision about one tool; {@code unknown_tool} if there is no entry for it. */
    public ToolState with(ToolId id, Membership membership) {
        if (find(id).isEmpty()) {
            throw new BelayException("unknown_tool", "this state says nothing about a tool " + id);
        }
        return new ToolState(generation, surface, tools.stream()
                .map(entry -> entry.id().equals(id)
                        ? new Entry(id, entry.tool(), membership, entry.orphaned())
                        : entry)
                .toList());
    }

    /** The form in which it is stored, with its version. */
    public Json toJson() {
        return StateJson.write(this);
    }

    /**
     * Reads the form of {@link #toJson}.
     *
     * @throws BelayException {@code tool_state_newer} if a later version wrote it, {@code tool_state_corrupt} if it is no such
     *         form
     */
    public static ToolState of(Json json) {
        return StateJson.read(json);
    }
}
