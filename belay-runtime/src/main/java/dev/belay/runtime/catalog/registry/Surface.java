package dev.belay.runtime.catalog.registry;

import dev.belay.json.FramedHash;
import dev.belay.model.ToolSpec;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Fingerprint;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text that a model sees of a catalog. Schemas are made when a request needs them, not when a source is added. Immutable;
 * two threads may both make a list, with the same content.
 */
public final class Surface {

    private final List<ToolDefinition> tools;
    private volatile @Nullable List<ToolSpec> specs;
    private volatile @Nullable List<ToolSpec> sorted;
    private volatile @Nullable Map<ToolId, Fingerprint> fingerprints;
    private volatile @Nullable String digest;

    Surface(List<ToolDefinition> tools) {
        this.tools = tools;
    }

    /** Whether two surfaces show the same tools in the same order, to the letter. */
    boolean isSame(Surface other) {
        if (tools.size() != other.tools.size()) {
            return false;
        }
        for (int i = 0; i < tools.size(); i++) {
            if (!isSame(tools.get(i), other.tools.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(ToolDefinition one, ToolDefinition other) {
        return one == other
                || (one.id().equals(other.id()) && one.name().equals(other.name())
                        && one.manifest().description().equals(other.manifest().description())
                        && one.fingerprint().equals(other.fingerprint())
                        && one.spec().inputSchema().text().equals(other.spec().inputSchema().text()));
    }

    public List<ToolSpec> specs() {
        List<ToolSpec> made = specs;
        if (made == null) {
            made = List.copyOf(tools.stream().map(ToolDefinition::spec).toList());
            specs = made;
        }
        return made;
    }

    public List<ToolSpec> sorted() {
        List<ToolSpec> made = sorted;
        if (made == null) {
            made = List.copyOf(specs().stream().sorted(Comparator.comparing(ToolSpec::name)).toList());
            sorted = made;
        }
        return made;
    }

    public Map<ToolId, Fingerprint> fingerprints() {
        Map<ToolId, Fingerprint> made = fingerprints;
        if (made == null) {
            Map<ToolId, Fingerprint> inOrder = new LinkedHashMap<>();
            tools.forEach(tool -> inOrder.put(tool.id(), tool.fingerprint()));
            made = Collections.unmodifiableMap(inOrder);
            fingerprints = made;
        }
        return made;
    }

    /** A stable hash of the surface; two surfaces are the same if and only if their hashes are. */
    public String digest() {
        String made = digest;
        if (made == null) {
            var hash = new FramedHash().add("belay-surface-1");
            tools.forEach(tool -> hash.add(tool.id().value())
                    .add(tool.name())
                    .add(tool.manifest().description())
                    .add(tool.fingerprint().value())
                    .add(tool.spec().inputSchema().text()));
            made = hash.hex();
            digest = made;
        }
        return made;
    }
}
