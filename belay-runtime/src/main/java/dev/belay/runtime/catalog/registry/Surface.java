package dev.belay.runtime.catalog.registry;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.ToolSpec;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Fingerprint;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The text that a model sees of a catalog. Schemas are made when a request needs them, not when a source is added. Immutable;
 * two threads may both make a list, with the same content.
 */
public final class Surface {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.catalog");
    private static final Json ANY_OBJECT = Json.of("{\"type\":\"object\"}");

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
                        && fingerprint(one).equals(fingerprint(other))
                        && spec(one).inputSchema().text().equals(spec(other).inputSchema().text()));
    }

    /** What a model is shown of a tool. A contract that cannot be had now is shown as any object; a call of the tool asks again. */
    private static ToolSpec spec(ToolDefinition tool) {
        try {
            return tool.spec();
        } catch (ToolException unavailable) {
            LOG.warn("Tool {} is offered without its schema", tool.name(), unavailable);
            return new ToolSpec(tool.name(), tool.manifest().description(), ANY_OBJECT);
        }
    }

    /** The fingerprint of a tool; that of its manifest alone while its contract cannot be had. */
    public static Fingerprint fingerprint(ToolDefinition tool) {
        try {
            return tool.fingerprint();
        } catch (ToolException unavailable) {
            return Fingerprint.of(tool.manifest());
        }
    }

    public List<ToolSpec> specs() {
        List<ToolSpec> made = specs;
        if (made == null) {
            made = List.copyOf(tools.stream().map(Surface::spec).toList());
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
            tools.forEach(tool -> inOrder.put(tool.id(), fingerprint(tool)));
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
                    .add(fingerprint(tool).value())
                    .add(spec(tool).inputSchema().text()));
            made = hash.hex();
            digest = made;
        }
        return made;
    }
}
