package dev.belay.runtime.catalog;

import dev.belay.model.ToolSpec;
import dev.belay.runtime.catalog.registry.LiveTool;
import dev.belay.runtime.catalog.registry.Members;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.Fingerprint;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of a registry at one moment, as a model sees them. Take a catalog for each model request and let the same catalog
 * decide about the calls of the reply. Immutable: later changes of the registry do not reach it, and its sources still answer.
 */
public final class ToolCatalog {

    private final Members members;
    private final List<String> orphans;

    private @Nullable List<String> names;

    /** Made by a registry. */
    public ToolCatalog(Members members, List<String> orphans) {
        this.members = members;
        this.orphans = List.copyOf(orphans);
    }

    /** Grows by one with each visible change of the registry. */
    public long generation() {
        return members.generation();
    }

    /** Names of the members, in registration order. */
    public List<String> names() {
        List<String> known = names;
        if (known == null) {
            known = List.copyOf(members.byName().keySet());
            names = known; // two threads may both make it and find the same
        }
        return known;
    }

    /** Names of tools that the registry knows and whose source is missing: a call of such a tool is {@code tool_unavailable}. */
    public List<String> orphans() {
        return orphans;
    }

    /** The member of a name. */
    public Optional<ToolDefinition> find(String name) {
        return Optional.ofNullable(members.byName().get(name)).map(LiveTool::definition);
    }

    /** The members as a model request carries them, in registration order. The same to the byte for one generation. */
    public List<ToolSpec> specs() {
        return members.surface().specs();
    }

    /** The members for the text of a prompt: the same specs, sorted by name. */
    public List<ToolSpec> prompt() {
        return members.surface().sorted();
    }

    /** The fingerprints of the members, in registration order. */
    public Map<ToolId, Fingerprint> fingerprints() {
        return members.surface().fingerprints();
    }

    /** Identifies the text that the catalog shows, to the byte; the same until something visible changes. */
    public String fingerprint() {
        return members.surface().digest();
    }

    /** Whether a tool is a member, so that it may be called. */
    public boolean offers(ToolManifest manifest) {
        LiveTool member = members.byName().get(manifest.name());
        return member != null && member.id().equals(manifest.id());
    }

    /**
     * The same catalog without some tools. They still exist: a call of such a tool is {@code tool_unavailable}.
     *
     * @param names of the tools to leave out; names of other tools are ignored
     */
    public ToolCatalog without(Set<String> names) {
        if (Collections.disjoint(members.byName().keySet(), names)) {
            return this;
        }
        return new ToolCatalog(members.without(names), orphans);
    }

    /**
     * All live tools of the registry, members or not, each run by its source. Give it to a dispatcher together with
     * {@link #offers}: then a tool that is no member is {@code tool_unavailable} and not {@code unknown_tool}.
     */
    public ToolProvider provider() {
        return members.live().provider();
    }

    @Override
    public String toString() {
        return "ToolCatalog[generation " + generation() + ": " + members.byName().keySet() + "]";
    }
}
