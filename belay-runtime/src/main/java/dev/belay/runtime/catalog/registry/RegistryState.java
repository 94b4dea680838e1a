package dev.belay.runtime.catalog.registry;

import dev.belay.BelayException;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.ListedTool.Standing;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolSource;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.catalog.ToolSummary;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Visibility;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A registry at one moment. Each change returns the next state, or throws. Immutable; states are compared by identity.
 */
public final class RegistryState {

    /** At most so many warnings of one kind for each state; an operator needs no more. */
    private static final int MOST_WARNINGS = 10;

    private final @Nullable RegistryState above;
    private final List<Source> sources;
    private final LiveTools tools;
    private final Decisions decisions;
    private final Members members;
    private final ToolCatalog catalog;
    private final List<Warning> warnings;

    /**
     * Makes a state.
     *
     * @param above the state of the registry above, or null
     * @param sources own sources, in registration order
     * @param tools of all sources
     * @param decisions that were taken here
     * @param members the tools that are shown
     * @param warnings for the operator, about the change that led here
     */
    private RegistryState(@Nullable RegistryState above, List<Source> sources, LiveTools tools,
            Decisions decisions, Members members, List<Warning> warnings) {
        this.above = above;
        this.sources = sources;
        this.tools = tools;
        this.decisions = decisions;
        this.members = members;
        catalog = new ToolCatalog(members,
                decisions.orphans().values().stream().map(ListedTool::name).toList());
        this.warnings = warnings;
    }

    /** A registry without sources of its own. */
    public static RegistryState empty(@Nullable RegistryState above) {
        LiveTools tools = LiveTools.NONE.after(inherited(above), List.of());
        return new RegistryState(above, List.of(), tools, Decisions.NONE,
                Members.of(0, tools, members(above, tools, Decisions.NONE)), List.of());
    }

    private static List<LiveTool> inherited(@Nullable RegistryState above) {
        return above == null ? List.of() : above.tools.all();
    }

    public ToolCatalog catalog() {
        return catalog;
    }

    public List<Warning> warnings() {
        return warnings;
    }

    /** Whether sources and the registry above are unchanged. Every model request asks this. */
    public boolean isCurrent(@Nullable RegistryState aboveNow) {
        if (above != aboveNow) {
            return false;
        }
        for (Source source : sources) {
            if (!source.isUnchanged()) {
                return false;
            }
        }
        return true;
    }

    /** Reads all sources again. */
    public RegistryState refreshed(@Nullable RegistryState aboveNow) {
        List<Warning> told = new ArrayList<>();
        List<Source> read = sources.stream().map(source -> source.read(told::add)).toList();
        return changed(aboveNow, read, told);
    }

    /** Adds a source; refuses tools that are there already. */
    public RegistryState adding(Source source) {
        return changed(above, Stream.concat(sources.stream(), Stream.of(source)).toList(), List.of())
                .accepting(source.source());
    }

    /** Puts another provider in the place of a source; refuses tools that are there already. */
    public RegistryState replacing(Source source) {
        return changed(above,
                sources.stream().map(own -> own.source().equals(source.source()) ? source : own).toList(),
                List.of()).accepting(source.source());
    }

    public RegistryState withdrawing(ToolSource source) {
        return changed(above, sources.stream().filter(own -> !own.source().equals(source)).toList(),
                List.of());
    }

    public boolean has(ToolSource source) {
        return sources.stream().anyMatch(own -> own.source().equals(source));
    }

    /** The tools of its own sources. */
    public List<LiveTool> own() {
        return tools.all().stream().filter(tool -> has(tool.source())).toList();
    }

    /** Keeps the names and ids of tools free that stand in a registry below; the same object if they are. */
    public RegistryState reserving(List<LiveTool> below) {
        LiveTools reserved = tools.reserving(below);
        return reserved.equals(tools)
                ? this
                : new RegistryState(above, sources, reserved, decisions, members, List.of());
    }

    /** Whether a source has this tool. */
    public boolean has(ToolId tool) {
        return tools.contains(tool);
    }

    private RegistryState accepting(ToolSource source) {
        tools.collisions()
                .stream()
                .filter(collision -> collision.newcomer().source().equals(source))
                .findFirst()
                .ifPresent(collision -> {
                    throw collision.refused();
                });
        return this;
    }

    private RegistryState changed(@Nullable RegistryState newAbove, List<Source> newSources,
            List<Warning> told) {
        LiveTools now = tools.after(inherited(newAbove), newSources);
        Decisions decided = decisions.follow(tools, now);
        List<Warning> all = new ArrayList<>(told);
        List<Collision> collisions = now.newCollisions(tools);
        collisions.stream().limit(MOST_WARNINGS).map(Collision::leftOut).forEach(all::add);
        if (collisions.size() > MOST_WARNINGS) {
            all.add(new Warning((collisions.size() - MOST_WARNINGS) + " more tools are left out", null));
        }
        return new RegistryState(newAbove, newSources, now, decided,
                members.next(now, members(newAbove, now, decided)), List.copyOf(all));
    }

    /** Adds decisions. */
    public RegistryState deciding(List<MembershipChange> changes) {
        return deciding(decisions.with(changes, tools));
    }

    private RegistryState deciding(Decisions decided) {
        return decided.equals(decisions)
                ? this
                : new RegistryState(above, sources, tools, decided,
                        members.next(tools, members(above, tools, decided)), List.of());
    }

    /** Takes all decisions from a snapshot of this state; a tool that it does not mention is no member. */
    public RegistryState applying(ToolState next) {
        if (next.generation() != members.generation()) {
            throw new BelayException("generation_mismatch", "expected generation " + members.generation()
                    + ", actual " + next.generation()
                    + ": the tools have changed since this state was taken; take it again");
        }
        Set<ToolId> mentioned = next.tools()
                .stream()
                .map(ToolState.Entry::id)
                .collect(Collectors.toSet());
        List<ToolId> unknown = next.tools()
                .stream()
                .filter(entry -> !entry.orphaned() && !tools.contains(entry.id()))
                .map(ToolState.Entry::id)
                .toList();
        if (!unknown.isEmpty()) {
            throw new BelayException("unknown_tool",
                    "no source has " + unknown + ", and the state does not declare them orphans");
        }
        List<MembershipChange> left = tools.all()
                .stream()
                .filter(tool -> !mentioned.contains(tool.id()) && isMemberByDefault(tool))
                .map(tool -> new MembershipChange(tool.id(), Membership.ABSENT))
                .toList();
        return deciding(Decisions.of(next, tools).with(left, tools));
    }

    /** Whether a tool would be a member if nothing were decided about it here. */
    private boolean isMemberByDefault(LiveTool tool) {
        return standing(above, Decisions.NONE, tool.definition()) == Standing.MEMBER;
    }

    /** Takes the decisions and the generation of a saved snapshot. */
    public RegistryState restoring(ToolState saved) {
        Decisions decided = Decisions.of(saved, tools);
        Members shown = members.next(tools, members(above, tools, decided)).adopting(saved);
        return new RegistryState(above, sources, tools, decided, shown, List.of());
    }

    private static List<LiveTool> members(@Nullable RegistryState above, LiveTools tools,
            Decisions decisions) {
        return tools.all()
                .stream()
                .filter(tool -> standing(above, decisions, tool.definition()) == Standing.MEMBER)
                .toList();
    }

    private static Standing standing(@Nullable RegistryState above, Decisions decisions,
            ToolDefinition tool) {
        ToolManifest manifest = tool.manifest();
        if (manifest.visibility() == Visibility.INTERNAL) {
            return Standing.INTERNAL;
        }
        return switch (membership(above, decisions, tool)) {
            case PRESENT -> Standing.MEMBER;
            case ABSENT -> Standing.REMOVED;
            case DEFAULT -> manifest.resident() ? Standing.MEMBER : Standing.NOT_RESIDENT;
        };
    }

    /** The membership that was decided here, else above. */
    private static Membership membership(@Nullable RegistryState above, Decisions decisions,
            ToolDefinition tool) {
        Membership own = decisions.about(tool);
        return own != Membership.DEFAULT || above == null
                ? own
                : membership(above.above, above.decisions, tool);
    }

    public List<ListedTool> list() {
        Stream<ListedTool> live = tools.all().stream().map(tool -> {
            ToolManifest manifest = tool.definition().manifest();
            return new ListedTool.Live(manifest, tool.source(),
                    decisions.about(tool.definition()), standing(above, decisions, tool.definition()));
        });
        return Stream.concat(live, decisions.orphans().values().stream()).toList();
    }

    /** Finds the tools of names: a live tool, else an orphan. */
    public MembershipChanges resolve(Iterable<String> names, Membership membership) {
        var changes = new LinkedHashMap<ToolId, MembershipChange>();
        List<String> notFound = new ArrayList<>();
        List<String> internal = new ArrayList<>();
        for (String name : names) {
            LiveTool live = tools.find(Objects.requireNonNull(name, "name")).orElse(null);
            Optional<ToolId> id = live == null ? decisions.findOrphan(name) : Optional.of(live.id());
            if (id.isEmpty()) {
                notFound.add(name);
            } else if (live != null && live.definition().manifest().visibility() == Visibility.INTERNAL) {
                internal.add(name);
            } else {
                changes.put(id.get(), new MembershipChange(id.get(), membership));
            }
        }
        return new MembershipChanges(List.copyOf(changes.values()), notFound, internal);
    }

    public ToolState snapshot() {
        Stream<ToolState.Entry> live = tools.all()
                .stream()
                .map(tool -> entry(tool, decisions.about(tool.id())));
        Stream<ToolState.Entry> orphans = decisions.orphans()
                .values()
                .stream()
                .map(orphan -> new ToolState.Entry(orphan.id(), orphan.lastSeen(), orphan.membership(),
                        true, orphan.as()));
        return new ToolState(members.generation(), members.surface().digest(),
                Stream.concat(live, orphans).toList());
    }

    private static ToolState.Entry entry(LiveTool tool, MembershipChange decided) {
        return new ToolState.Entry(tool.id(), ToolSummary.of(tool.definition()), decided.membership(), false,
                decided.as());
    }
}
