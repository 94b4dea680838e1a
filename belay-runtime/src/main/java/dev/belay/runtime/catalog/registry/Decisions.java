package dev.belay.runtime.catalog.registry;

import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.catalog.ToolSummary;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Memberships that were decided, by tool id. A decision outlives the source of its tool: a removed tool stays removed when its
 * server restarts. A tool without a decision is forgotten together with its source, so that a source that keeps changing its tools
 * does not fill the memory. Immutable.
 *
 * @param live decisions about tools that have a source; none of them is {@link Membership#DEFAULT}
 * @param orphans tools without a source, in the order in which they lost it
 */
record Decisions(Map<ToolId, MembershipChange> live, Map<ToolId, ListedTool.Orphan> orphans) {

    static final Decisions NONE = new Decisions(Map.of(), Map.of());

    Decisions {
        live = Map.copyOf(live);
        orphans = Collections.unmodifiableMap(new LinkedHashMap<>(orphans));
    }

    /** The decisions of a snapshot about these tools; a tool of the snapshot that has no source is an orphan. */
    static Decisions of(ToolState state, LiveTools tools) {
        Map<ToolId, MembershipChange> live = new LinkedHashMap<>();
        Map<ToolId, ListedTool.Orphan> orphans = new LinkedHashMap<>();
        for (ToolState.Entry entry : state.tools()) {
            if (!tools.contains(entry.id())) {
                orphans.put(entry.id(),
                        new ListedTool.Orphan(entry.id(), entry.tool(), entry.membership(), entry.as()));
            } else if (entry.membership() != Membership.DEFAULT) {
                live.put(entry.id(),
                        new MembershipChange(entry.id(), entry.membership(), entry.as()));
            }
        }
        return new Decisions(live, orphans);
    }

    /** What was decided about a tool, for any definition of it. */
    MembershipChange about(ToolId id) {
        ListedTool.Orphan orphan = orphans.get(id);
        if (orphan != null) {
            return decided(orphan);
        }
        MembershipChange known = live.get(id);
        return known == null ? new MembershipChange(id, Membership.DEFAULT) : known;
    }

    private static MembershipChange decided(ListedTool.Orphan orphan) {
        return new MembershipChange(orphan.id(), orphan.membership(), orphan.as());
    }

    /** What counts for a tool as it is: what was decided about another definition of it does not. */
    Membership about(ToolDefinition tool) {
        MembershipChange decided = about(tool.id());
        return decided.as() == null || decided.as().equals(Surface.fingerprint(tool))
                ? decided.membership()
                : Membership.DEFAULT;
    }

    /** The orphan of a name; the oldest if there are several. */
    Optional<ToolId> findOrphan(String name) {
        return orphans.values()
                .stream()
                .filter(orphan -> orphan.name().equals(name))
                .map(ListedTool.Orphan::id)
                .findFirst();
    }

    /** The same decisions after sources have changed: a tool that left becomes an orphan, an orphan that returned becomes live. */
    Decisions follow(LiveTools before, LiveTools after) {
        Map<ToolId, MembershipChange> stillLive = new LinkedHashMap<>();
        Map<ToolId, ListedTool.Orphan> stillOrphans = new LinkedHashMap<>();
        orphans.values().forEach(orphan -> {
            if (!after.contains(orphan.id())) {
                stillOrphans.put(orphan.id(), orphan);
            } else if (orphan.membership() != Membership.DEFAULT) {
                stillLive.put(orphan.id(), decided(orphan));
            }
        });
        for (LiveTool tool : before.all()) {
            MembershipChange decided = live.get(tool.id());
            if (decided != null && after.contains(tool.id())) {
                stillLive.put(tool.id(), decided);
            } else if (decided != null) {
                stillOrphans.put(tool.id(),
                        new ListedTool.Orphan(tool.id(), ToolSummary.of(tool.definition()),
                                decided.membership(), decided.as()));
            }
        }
        return new Decisions(stillLive, stillOrphans);
    }

    /** Adds decisions. An orphan with {@link Membership#DEFAULT} is forgotten. */
    Decisions with(List<MembershipChange> changes, LiveTools tools) {
        Map<ToolId, MembershipChange> newLive = new LinkedHashMap<>(live);
        Map<ToolId, ListedTool.Orphan> newOrphans = new LinkedHashMap<>(orphans);
        for (MembershipChange change : changes) {
            ToolId id = change.id();
            if (change.membership() == Membership.DEFAULT) {
                newLive.remove(id);
                newOrphans.remove(id);
            } else if (tools.contains(id)) {
                newLive.put(id, change);
            } else {
                ListedTool.Orphan known = newOrphans.get(id);
                newOrphans.put(id, new ListedTool.Orphan(id, known == null ? null : known.lastSeen(),
                        change.membership(), change.as()));
            }
        }
        return new Decisions(newLive, newOrphans);
    }
}
