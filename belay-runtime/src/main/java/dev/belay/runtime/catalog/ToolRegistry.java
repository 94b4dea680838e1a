package dev.belay.runtime.catalog;

import dev.belay.BelayException;
import dev.belay.runtime.catalog.registry.LiveProvider;
import dev.belay.runtime.catalog.registry.LiveTool;
import dev.belay.runtime.catalog.registry.RegistryState;
import dev.belay.runtime.catalog.registry.Source;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All live sources of tools, and the decisions about each tool. {@code docs/catalog.md} explains it from the beginning.
 *
 * <p><b>Concurrency.</b> Thread-safe, without locks. One reference holds one immutable state. A change computes the next state and
 * replaces the reference; if another thread was faster, it starts again. Providers are asked for their tools on the thread that
 * asks the registry, several times if threads race, and never under a lock. A provider must not ask the registry while it lists
 * its tools.
 *
 * <p><b>Reading changes nothing</b>, with one exception: every look asks the sources for their tools, and the registry notices a
 * source that changed by itself. If the catalog then shows anything else, the generation grows by one.
 *
 * <p><b>Recovery.</b> {@link #state} is all that must be stored. After a restart add the sources, then call
 * {@link #restoreState}; the tools of a source that comes later get their saved membership.
 */
public final class ToolRegistry {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.catalog");

    private final @Nullable ToolRegistry parent;
    private final AtomicInteger numbers;
    private final AtomicReference<RegistryState> state;

    /** An empty registry. */
    public ToolRegistry() {
        this(null, new AtomicInteger());
    }

    private ToolRegistry(@Nullable ToolRegistry parent, AtomicInteger numbers) {
        this.parent = parent;
        this.numbers = numbers;
        this.state = new AtomicReference<>(RegistryState.empty(parent == null ? null : parent.current()));
    }

    /**
     * A registry with the tools of a parent, followed by its own. A decision here holds here only; for a tool without a decision
     * here, the parent's decision holds. Changes of the parent are noticed at the next look.
     */
    public static ToolRegistry below(ToolRegistry parent) {
        return new ToolRegistry(parent, parent.numbers);
    }

    /**
     * Keeps the names and ids of this registry's own tools free in the registries above: such a tool that comes there later is refused with
     * {@code plugin_conflict}, or left out if its source changes by itself. Used for the tools of a session's plugins.
     */
    public void reserve() {
        List<LiveTool> own = current().own();
        for (ToolRegistry above = parent; above != null; above = above.parent) {
            above.change(now -> now.reserving(own));
        }
    }

    /** Adds a source that is named for the class of its provider. */
    public SourceHandle add(ToolProvider provider) {
        return add(ToolSource.nameOf(provider), provider);
    }

    /**
     * Adds a source.
     *
     * @param name for people, in messages and lists
     * @param provider its tools; asked again at every look at the registry
     * @throws BelayException {@code duplicate_tool_name} or {@code duplicate_tool_id} if a tool is there already, {@code plugin_conflict} if
     *         a plugin of a session has it; {@code source_unreadable} if the provider cannot list its tools. The registry is then as
     *         before
     */
    public SourceHandle add(String name, ToolProvider provider) {
        return register(new ToolSource(numbers.incrementAndGet(), name, false), provider);
    }

    /** Adds an overlay that is named for the class of its provider. */
    public SourceHandle overlay(ToolProvider provider) {
        return overlay(ToolSource.nameOf(provider), provider);
    }

    /**
     * Adds a source whose tools replace tools of earlier sources that have the same id or name, and take their place. The replaced
     * tools are back when the overlay is withdrawn.
     *
     * @param name for people, in messages and lists
     * @param provider its tools
     */
    public SourceHandle overlay(String name, ToolProvider provider) {
        return register(new ToolSource(numbers.incrementAndGet(), name, true), provider);
    }

    private SourceHandle register(ToolSource source, ToolProvider provider) {
        Source first = Source.first(source, Objects.requireNonNull(provider, "provider"));
        change(now -> now.adding(first));
        return new SourceHandle(this, source);
    }

    void replace(ToolSource source, ToolProvider provider) {
        Source replaced = Source.first(source, Objects.requireNonNull(provider, "provider"));
        change(now -> {
            if (!now.has(source)) {
                throw new BelayException("source_withdrawn",
                        source + " was withdrawn and cannot be replaced; add the provider again");
            }
            return now.replacing(replaced);
        });
    }

    void withdraw(ToolSource source) {
        change(now -> now.has(source) ? now.withdrawing(source) : now);
    }

    /** Lists all tools: live tools in registration order, then orphans. */
    public List<ListedTool> list() {
        return current().list();
    }

    /** The catalog that a model is shown now. The same object until something changes. */
    public ToolCatalog catalog() {
        return current().catalog();
    }

    /** All tools of all sources, members or not, as they are at each call; each is run by its source. */
    public ToolProvider provider() {
        return new LiveProvider(() -> catalog().provider());
    }

    /** Grows by one with each visible change of the catalog: names, order, descriptions, schemas, fingerprints. */
    public long generation() {
        return catalog().generation();
    }

    /** Finds the tools of names whose membership shall change. Changes nothing; {@link #apply} does. */
    public MembershipChanges resolve(Collection<String> names, Membership membership) {
        Objects.requireNonNull(membership, "membership");
        return current().resolve(new LinkedHashSet<>(names), membership);
    }

    /** Makes tools members, or removes them. To grant a tool that is not resident, make it a member. */
    public MembershipChanges setMembership(Collection<String> names, boolean present) {
        return decide(names, present ? Membership.PRESENT : Membership.ABSENT);
    }

    /** Takes back the decisions about tools. An orphan is forgotten. */
    public MembershipChanges resetMembership(Collection<String> names) {
        return decide(names, Membership.DEFAULT);
    }

    private MembershipChanges decide(Collection<String> names, Membership membership) {
        MembershipChanges found = resolve(names, membership);
        apply(found.changes());
        return found;
    }

    /**
     * Applies changes in order, as one visible change. A tool without a source gets its membership when a source brings it.
     */
    public void apply(List<MembershipChange> changes) {
        List<MembershipChange> all = List.copyOf(changes);
        change(now -> now.deciding(all));
    }

    /** Takes a snapshot to be stored. */
    public ToolState state() {
        return current().snapshot();
    }

    /**
     * Replaces all decisions by those of a state. A live tool that the state does not mention is no member.
     *
     * @param next made from {@link #state}
     * @throws BelayException {@code generation_mismatch} if the catalog has visibly changed since; {@code unknown_tool} if the state
     *         mentions a tool that has no source and is not declared an orphan. Nothing is changed then
     */
    public void applyState(ToolState next) {
        Objects.requireNonNull(next, "next");
        change(now -> now.applying(next));
    }

    /**
     * Resumes from a saved state, in a new program or for another worker. The saved decisions are applied to the live tools. A tool
     * that the state does not mention has its default; a saved tool whose source is missing is an orphan until a source brings it.
     * The generation is that of the state, plus one if the catalog now shows anything else.
     */
    public RestoreReport restoreState(ToolState saved) {
        Objects.requireNonNull(saved, "saved");
        RegistryState restored = change(now -> now.restoring(saved));
        List<ToolId> rebound = new ArrayList<>();
        List<ToolId> orphans = new ArrayList<>();
        for (ToolState.Entry entry : saved.tools()) {
            if (!restored.has(entry.id())) {
                orphans.add(entry.id());
            } else if (entry.orphaned()) {
                rebound.add(entry.id());
            }
        }
        return new RestoreReport(orphans, rebound);
    }

    private RegistryState change(UnaryOperator<RegistryState> edit) {
        while (true) {
            RegistryState now = current();
            RegistryState next = edit.apply(now);
            if (next == now || publish(now, next)) {
                return next;
            }
        }
    }

    private RegistryState current() {
        while (true) {
            RegistryState known = state.get();
            RegistryState above = parent == null ? null : parent.current();
            if (known.isCurrent(above)) {
                return known;
            }
            RegistryState next = known.refreshed(above);
            if (publish(known, next)) {
                return next;
            }
        }
    }

    private boolean publish(RegistryState now, RegistryState next) {
        boolean first = state.compareAndSet(now, next);
        if (first) {
            next.warnings().forEach(warning -> LOG.warn(warning.text(), warning.cause()));
        }
        return first;
    }
}
