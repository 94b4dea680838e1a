package dev.belay.toolset;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.toolset.loop.SetLayout;
import java.util.Objects;

/**
 * Names one tool of one set. In JSON it is the tool's name. Immutable.
 *
 * @param <T> the set
 */
public final class ToolSelector<T> {

    private final SetLayout<T> set;
    private final String name;

    ToolSelector(SetLayout<T> set, String name) {
        this.set = set;
        this.name = name;
    }

    /** The tool's name. */
    public String name() {
        return name;
    }

    /** The tool. */
    public ToolDefinition definition() {
        return Objects.requireNonNull(set.entries().get(name)).definition();
    }

    /** The tool's name as JSON. */
    public Json json() {
        return Json.string(name);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ToolSelector<?> selector && selector.set.type() == set.type()
                && selector.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
