package dev.belay.runtime.catalog.registry;

import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tools of all sources at one moment, each name and id once. Immutable. */
public final class LiveTools {

    /** More are not kept free: plugins that name tools after their sessions must not fill the memory. */
    private static final int MOST_RESERVED = 1_000;

    static final LiveTools NONE = new LiveTools(List.of(), Set.of(), List.of(), List.of());

    private final List<LiveTool> all;
    private final Map<ToolId, LiveTool> byId = new HashMap<>();
    private final Map<String, LiveTool> byName = new HashMap<>();
    private final Set<Claims.Incumbent> incumbents;
    private final List<Collision> collisions;
    private final List<LiveTool> reserved;
    private final RoutedTools provider;

    /**
     * Made by {@link Claims}.
     *
     * @param all in order
     * @param incumbents tools that were let in, also those that an overlay hides
     * @param collisions tools that were not let in
     * @param reserved tools of plugins of sessions, whose names and ids are kept free
     */
    LiveTools(List<LiveTool> all, Set<Claims.Incumbent> incumbents, List<Collision> collisions,
            List<LiveTool> reserved) {
        this.all = all;
        this.reserved = reserved;
        this.incumbents = incumbents;
        this.collisions = collisions;
        for (LiveTool tool : all) {
            byId.put(tool.id(), tool);
            byName.put(tool.name(), tool);
        }
        provider = new RoutedTools(all.stream().map(LiveTool::definition).toList(), byId);
    }

    /** The tools after sources have changed. */
    LiveTools after(List<LiveTool> above, List<Source> own) {
        return new Claims(above, own, reserved).settle(incumbents);
    }

    /** The same tools, with names and ids that newcomers do not get; the same object if none of them is new. */
    LiveTools reserving(List<LiveTool> more) {
        List<LiveTool> unknown = more.stream()
                .filter(tool -> reserved.stream()
                        .noneMatch(known -> known.name().equals(tool.name()) && known.id().equals(tool.id())))
                .toList();
        return unknown.isEmpty() || reserved.size() + unknown.size() > MOST_RESERVED
                ? this
                : new LiveTools(all, incumbents, collisions,
                        Stream.concat(reserved.stream(), unknown.stream()).toList());
    }

    List<LiveTool> all() {
        return all;
    }

    Optional<LiveTool> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    boolean contains(ToolId id) {
        return byId.containsKey(id);
    }

    /** Tools that were not let in, each with the tool that has its name or id. */
    List<Collision> collisions() {
        return collisions;
    }

    /** Collisions that were not there before. */
    List<Collision> newCollisions(LiveTools before) {
        if (collisions.isEmpty()) {
            return List.of();
        }
        Set<Claims.Incumbent> known = before.collisions.stream()
                .map(collision -> Claims.Incumbent.of(collision.newcomer()))
                .collect(Collectors.toSet());
        return collisions.stream()
                .filter(collision -> !known.contains(Claims.Incumbent.of(collision.newcomer())))
                .toList();
    }

    public ToolProvider provider() {
        return provider;
    }
}
