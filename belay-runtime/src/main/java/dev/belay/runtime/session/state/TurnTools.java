package dev.belay.runtime.session.state;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.ModelRequest;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one session as one turn sees them. A session whose tools were never changed shares the registry of the runtime; any
 * other has its own registry below it. Confined to the turn's thread.
 */
public final class TurnTools {

    private final ToolRegistry above;
    private @Nullable ToolRegistry own;
    private boolean changed;
    private final List<ToolProvider> last = new ArrayList<>(0);
    private @Nullable ToolRegistry withLast;
    private @Nullable ToolRegistry lastBehind;

    /**
     * The tools of a session.
     *
     * @param above the sources that are live
     * @param saved what the session's turns have left about tools, or null for nothing
     */
    public TurnTools(ToolRegistry above, @Nullable Json saved) {
        this.above = above;
        if (saved != null) {
            own().restoreState(RecordReader.read("state of tools", saved, () -> ToolState.of(saved)));
        }
    }

    /** The tools of a session as they will be once every command that waits was taken. */
    public static TurnTools of(ToolRegistry above, SessionCommands.Now now) {
        var tools = new TurnTools(above, now.saved().tools());
        for (SessionCommand waiting : now.waiting()) {
            if (waiting instanceof ToolCommand command) {
                tools.apply(command);
            }
        }
        return tools;
    }

    private ToolRegistry own() {
        ToolRegistry registry = own;
        if (registry == null) {
            registry = below(above);
            own = registry;
        }
        return registry;
    }

    /** A registry below another one; its generations go on where those of the other one are. */
    private static ToolRegistry below(ToolRegistry other) {
        ToolRegistry registry = ToolRegistry.below(other);
        registry.restoreState(new ToolState(other.generation(), other.catalog().fingerprint(), List.of()));
        return registry;
    }

    public ToolRegistry registry() {
        return own == null ? above : own;
    }

    public ToolCatalog catalog() {
        ToolRegistry all = registry();
        if (last.isEmpty()) {
            return all.catalog();
        }
        ToolRegistry extended = withLast;
        if (extended == null || lastBehind != all) {
            extended = below(all);
            for (ToolProvider more : last) {
                Set<String> taken = extended.catalog()
                        .provider()
                        .definitions()
                        .stream()
                        .map(ToolDefinition::name)
                        .collect(Collectors.toSet());
                extended.add(StaticToolProvider.of(more.definitions()
                        .stream()
                        .filter(tool -> !taken.contains(tool.name()))
                        .toList(), more::execute));
            }
            withLast = extended;
            lastBehind = all;
        }
        return extended.catalog();
    }

    /** Offers tools behind all others, except those whose names are taken. */
    public void append(@Nullable ToolProvider tools) {
        if (tools != null) {
            last.add(tools);
            withLast = null;
        }
    }

    /**
     * Whether a tool of a program's own loop may be offered and called: if the session knows a tool of this name, that must be a
     * member. An orphan returns with the loop that brings it, unless it was removed.
     */
    public boolean allows(String name) {
        return registry().list()
                .stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .map(tool -> tool.isMember()
                        || (tool instanceof ListedTool.Orphan && tool.membership() != Membership.ABSENT))
                .orElse(true);
    }

    /** Whether a process that a call of the session starts may call a tool: if the session knows it, as a member or an internal tool. */
    public boolean allowsInProcess(String name) {
        return registry().list()
                .stream()
                .filter(tool -> tool.name().equals(name))
                .map(ListedTool::standing)
                .noneMatch(standing -> standing == ListedTool.Standing.REMOVED
                        || standing == ListedTool.Standing.NOT_RESIDENT);
    }

    /** The tools of a loop's request that may be offered; {@code invalid_tool_constraints} if it demands a call of another one. */
    public static List<ToolSpec> members(ModelRequest wanted, Predicate<String> allows) {
        List<ToolSpec> members = wanted.tools().stream().filter(tool -> allows.test(tool.name())).toList();
        boolean impossible = switch (wanted.toolChoice()) {
            case ToolChoice.Any any -> members.isEmpty();
            case ToolChoice.Specific(String name) -> !allows.test(name);
            default -> false;
        };
        if (impossible) {
            throw new BelayException("invalid_tool_constraints",
                    "the step demands a call of a tool that is no member of its session; members are "
                            + members.stream().map(ToolSpec::name).toList());
        }
        return members;
    }

    /** Identifies what a loop offers. */
    public static String hash(List<ToolSpec> offered) {
        var hash = new FramedHash();
        offered.forEach(tool -> hash.add(tool.name()));
        return hash.hex();
    }

    public void apply(ToolCommand command) {
        command.applyTo(own());
        changed = true;
    }

    /** What the session is to keep, or null if nothing has changed. */
    @Nullable
    public Json saved() {
        return changed ? own().state().toJson() : null;
    }
}
