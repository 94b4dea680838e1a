package dev.belay.runtime.catalog;

import dev.belay.model.ToolSpec;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.Fingerprint;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a registry shows a model at one moment: its members. Take one for each model request and let the same one decide about
 * the calls that come back. Immutable: later changes of the registry do not reach it, and the sources it knew keep answering.
 */
public final class ToolCatalog {

    private final long generation;
    private final LiveTools live;
    private final Map<String, LiveTool> members;
    private final Surface surface;

    private ToolCatalog(long generation, LiveTools live, Map<String, LiveTool> members, Surface surface) {
        this.generation = generation;
        this.live = live;
        this.members = members;
        this.surface = surface;
    }

    static ToolCatalog first(LiveTools live, List<LiveTool> members) {
        Map<String, LiveTool> byName = byName(members);
        return new ToolCatalog(0, live, byName, surface(byName));
    }

    /** The catalog that comes after this one: of the next generation if it shows anything else. */
    ToolCatalog next(LiveTools newLive, List<LiveTool> newMembers) {
        Map<String, LiveTool> byName = byName(newMembers);
        Surface shown = surface(byName);
        return shown.isSame(surface)
                ? new ToolCatalog(generation, newLive, byName, surface)
                : new ToolCatalog(generation + 1, newLive, byName, shown);
    }

    /** The same catalog under the generation of a saved state, or the one after it if that showed anything else. */
    ToolCatalog adopting(ToolState saved) {
        long adopted = surface.digest().equals(saved.surface()) ? saved.generation() : saved.generation() + 1;
        return new ToolCatalog(adopted, live, members, surface);
    }

    private static Map<String, LiveTool> byName(List<LiveTool> members) {
        Map<String, LiveTool> byName = new LinkedHashMap<>();
        members.forEach(tool -> byName.put(tool.name(), tool));
        return Collections.unmodifiableMap(byName);
    }

    private static Surface surface(Map<String, LiveTool> members) {
        return new Surface(members.values().stream().map(LiveTool::definition).toList());
    }

    /** Grows by one with each change of what the registry shows. */
    public long generation() {
        return generation;
    }

    /** Names of the members, in registration order. */
    public List<String> names() {
        return List.copyOf(members.keySet());
    }

    /** The member of that name. */
    public Optional<ToolDefinition> find(String name) {
        return Optional.ofNullable(members.get(name)).map(LiveTool::definition);
    }

    /** The members as a model request carries them, in registration order. The same to the byte for one generation. */
    public List<ToolSpec> specs() {
        return surface.specs();
    }

    /** The members for text of a prompt: the same, sorted by name. */
    public List<ToolSpec> prompt() {
        return surface.sorted();
    }

    /** What each member means, in registration order. */
    public Map<ToolId, Fingerprint> fingerprints() {
        return surface.fingerprints();
    }

    /** Identifies what is shown, to the byte; the same for as long as nothing visible changes. */
    public String fingerprint() {
        return surface.digest();
    }

    /** Whether a tool is a member, so that it may be called. */
    public boolean offers(ToolManifest manifest) {
        LiveTool member = members.get(manifest.name());
        return member != null && member.id().equals(manifest.id());
    }

    /**
     * The same catalog without some tools. They still exist, so that a call of one is {@code tool_unavailable}.
     *
     * @param names what to leave out; names that are no members do no harm
     */
    public ToolCatalog without(Set<String> names) {
        if (Collections.disjoint(members.keySet(), names)) {
            return this;
        }
        Map<String, LiveTool> left = byName(
                members.values().stream().filter(tool -> !names.contains(tool.name())).toList());
        return new ToolCatalog(generation, live, left, surface(left));
    }

    /**
     * All live tools of the registry, members or not, each run by the source it comes from. Give it to a dispatcher together
     * with {@link #offers}: then a tool that is no member is {@code tool_unavailable} and not {@code unknown_tool}.
     */
    public ToolProvider provider() {
        return live.provider();
    }

    Surface surface() {
        return surface;
    }

    @Override
    public String toString() {
        return "ToolCatalog[generation " + generation + ": " + members.keySet() + "]";
    }
}
