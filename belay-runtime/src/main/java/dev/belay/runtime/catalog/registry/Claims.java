package dev.belay.runtime.catalog.registry;

import dev.belay.tool.ToolId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides which tools of the sources are let in, and in which order. Confined to one thread.
 *
 * <p>Incumbents, which were let in before under the same id and name, come first: a source that changes by itself cannot push out a
 * tool that a model already uses. Names that are kept free for plugins of sessions are next. Newcomers follow in the order of their sources. A tool is left out if a tool that was let in has
 * its name or id, unless the later of the two comes from an overlay. A tool of an overlay takes the place of the tool that it
 * replaces.
 */
final class Claims {

    /** The place of tools of the registry above: before all others. */
    private static final int ABOVE = -1;
    /** The place of tools of plugins, whose names are kept free: behind all others. */
    private static final int RESERVED = Integer.MAX_VALUE;

    private final List<Claim> claims = new ArrayList<>();
    private final List<LiveTool> reserved;
    private final Map<String, List<Claim>> byName = new HashMap<>();
    private final Map<ToolId, List<Claim>> byId = new HashMap<>();
    private final List<Collision> collisions = new ArrayList<>();

    /**
     * A tool that was let in. A tool that changes its name or id is a newcomer.
     *
     * @param source number of the source
     * @param id of the tool
     * @param name of the tool
     */
    record Incumbent(int source, ToolId id, String name) {

        static Incumbent of(LiveTool tool) {
            return new Incumbent(tool.source().number(), tool.id(), tool.name());
        }
    }

    private record Claim(LiveTool tool, int place) {

        boolean collidesWith(Claim other) {
            Claim later = place > other.place ? this : other;
            return place == other.place || !later.tool.source().overlay();
        }
    }

    /**
     * Collects the claims of all tools.
     *
     * @param above the tools of the registry above, which do not collide with each other
     * @param own the sources of this registry
     * @param reserved tools whose names and ids are kept free
     */
    Claims(List<LiveTool> above, List<Source> own, List<LiveTool> reserved) {
        this.reserved = reserved;
        above.forEach(tool -> claims.add(new Claim(tool, ABOVE)));
        for (int place = 0; place < own.size(); place++) {
            int here = place;
            own.get(place).tools().forEach(tool -> claims.add(new Claim(tool, here)));
        }
    }

    /**
     * Settles all claims.
     *
     * @param before tools that were let in before
     */
    LiveTools settle(Set<Incumbent> before) {
        var admitted = new BitSet(claims.size());
        for (boolean incumbents : List.of(true, false)) {
            if (!incumbents) {
                reserved.forEach(tool -> take(new Claim(tool, RESERVED)));
            }
            for (int i = 0; i < claims.size(); i++) {
                Claim claim = claims.get(i);
                if (before.contains(Incumbent.of(claim.tool)) == incumbents && admit(claim)) {
                    admitted.set(i);
                }
            }
        }
        List<LiveTool> letIn = admitted.stream().mapToObj(i -> claims.get(i).tool).toList();
        return new LiveTools(arranged(letIn),
                letIn.stream().map(Incumbent::of).collect(Collectors.toUnmodifiableSet()), collisions,
                reserved);
    }

    private boolean admit(Claim claim) {
        for (List<Claim> same : List.of(byName.getOrDefault(claim.tool.name(), List.of()),
                byId.getOrDefault(claim.tool.id(), List.of()))) {
            for (Claim other : same) {
                if (claim.collidesWith(other)) {
                    collisions.add(new Collision(claim.tool, other.tool, other.place == RESERVED));
                    return false;
                }
            }
        }
        take(claim);
        return true;
    }

    private void take(Claim claim) {
        byName.computeIfAbsent(claim.tool.name(), name -> new ArrayList<>(1)).add(claim);
        byId.computeIfAbsent(claim.tool.id(), id -> new ArrayList<>(1)).add(claim);
    }

    /** Puts tools into the order of their sources; a tool of an overlay takes the place of the tool that it replaces. */
    private static List<LiveTool> arranged(List<LiveTool> letIn) {
        var places = new TreeMap<Integer, LiveTool>();
        Map<String, Integer> byName = new HashMap<>();
        Map<ToolId, Integer> byId = new HashMap<>();
        for (LiveTool tool : letIn) {
            int end = places.isEmpty() ? 0 : places.lastKey() + 1;
            int sameName = byName.getOrDefault(tool.name(), end);
            int sameId = byId.getOrDefault(tool.id(), end);
            for (int replaced : new int[]{sameName, sameId}) {
                LiveTool gone = places.remove(replaced);
                if (gone != null) {
                    byName.remove(gone.name());
                    byId.remove(gone.id());
                }
            }
            int place = Math.min(sameName, sameId);
            places.put(place, tool);
            byName.put(tool.name(), place);
            byId.put(tool.id(), place);
        }
        return List.copyOf(places.values());
    }
}
