package dev.belay.runtime.catalog.registry;

import dev.belay.runtime.catalog.ToolState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The members of a registry at one moment, under the generation of what they show. Immutable.
 *
 * @param generation grows by one with each change of the surface
 * @param live all tools, members or not
 * @param byName the members, in registration order
 * @param surface what a model sees of the members
 */
public record Members(long generation, LiveTools live, Map<String, LiveTool> byName, Surface surface) {

    static Members of(long generation, LiveTools live, List<LiveTool> members) {
        Map<String, LiveTool> byName = new LinkedHashMap<>();
        members.forEach(tool -> byName.put(tool.name(), tool));
        return new Members(generation, live, Collections.unmodifiableMap(byName),
                new Surface(byName.values().stream().map(LiveTool::definition).toList()));
    }

    /** The members that follow these: of the next generation if they show anything else. */
    Members next(LiveTools newLive, List<LiveTool> newMembers) {
        Members next = of(generation + 1, newLive, newMembers);
        return next.surface.isSame(surface)
                ? new Members(generation, newLive, next.byName, surface)
                : next;
    }

    /** The same members under the generation of a saved state, or the one after it if that showed anything else. */
    Members adopting(ToolState saved) {
        long adopted = surface.digest().equals(saved.surface()) ? saved.generation() : saved.generation() + 1;
        return new Members(adopted, live, byName, surface);
    }

    /** The members but some, under the same generation. */
    public Members without(Set<String> names) {
        return of(generation, live,
                byName.values().stream().filter(tool -> !names.contains(tool.name())).toList());
    }
}
