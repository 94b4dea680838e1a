package dev.belay.runtime.catalog;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.catalog.registry.StateJson;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Fingerprint;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a registry that can be stored: the membership of each tool, and a summary of the tool. Sources are not part of it.
 *
 * @param generation of the registry when it was taken
 * @param surface hash of everything the catalog showed then; a restored registry compares it with its own
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
     * @param id the tool
     * @param tool the tool as it was last seen; null only for an orphan that was never seen
     * @param membership that was decided
     * @param orphaned whether its source is missing
     * @param as the fingerprint for which that was decided; null for any
     */
    public record Entry(ToolId id, @Nullable ToolSummary tool, Membership membership, boolean orphaned,
            @Nullable Fingerprint as) {

        /** Refuses a live tool without a summary. */
        public Entry {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(membership, "membership");
            if (tool == null && !orphaned) {
                throw new IllegalArgumentException(
                        "tool " + id + " has no summary; only an orphan may have none");
            }
        }

        /** One whose membership counts for any definition of the tool. */
        public Entry(ToolId id, @Nullable ToolSummary tool, Membership membership, boolean orphaned) {
            this(id, tool, membership, orphaned, null);
        }
    }

    /** The entry of a tool. */
    public Optional<Entry> find(ToolId id) {
        return tools.stream().filter(entry -> entry.id().equals(id)).findFirst();
    }

    /** Changes the membership of one tool; {@code unknown_tool} if it has no entry. */
    public ToolState with(ToolId id, Membership membership) {
        if (find(id).isEmpty()) {
            throw new BelayException("unknown_tool", "this state has no entry for tool " + id);
        }
        return new ToolState(generation, surface, tools.stream()
                .map(entry -> entry.id().equals(id)
                        ? new Entry(id, entry.tool(), membership, entry.orphaned())
                        : entry)
                .toList());
    }

    /** The stored form, with its version. */
    public Json toJson() {
        return StateJson.write(this);
    }

    /**
     * Reads the form of {@link #toJson}.
     *
     * @throws BelayException {@code tool_state_newer} if a later version wrote it, {@code tool_state_corrupt} if it has
     *         another form
     */
    public static ToolState of(Json json) {
        return StateJson.read(json);
    }
}
