package dev.belay.runtime.catalog;

import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import java.util.Objects;

/**
 * A source of tools: one provider that was added to a registry.
 *
 * @param number unique among the sources of the registry, its parent and its siblings
 * @param name for people; need not be unique
 * @param overlay whether it may replace tools of sources before it
 */
public record ToolSource(int number, String name, boolean overlay) {

    /** Refuses a blank name. */
    public ToolSource {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a source of tools must not be blank");
        }
    }

    /** The name of a source that was added without one: the class that its author wrote. */
    static String nameOf(ToolProvider provider) {
        if (provider instanceof ToolMethods methods) {
            return methods.declaredBy().getName();
        }
        String simple = provider.getClass().getSimpleName();
        String full = provider.getClass().getName();
        return simple.isEmpty() ? full.substring(full.lastIndexOf('.') + 1) : simple;
    }

    @Override
    public String toString() {
        return "source " + number + " (" + name + ")";
    }
}
