package dev.belay.runtime.catalog;

import dev.belay.tool.ToolProvider;

/** Holds one source of a registry, for whoever added it. Thread-safe. */
public final class SourceHandle {

    private final ToolRegistry registry;
    private final ToolSource source;

    SourceHandle(ToolRegistry registry, ToolSource source) {
        this.registry = registry;
        this.source = source;
    }

    /** What it holds. */
    public ToolSource source() {
        return source;
    }

    /**
     * Puts another provider at the place of this source. Tools that both have keep their place and their membership.
     *
     * @throws dev.belay.BelayException {@code duplicate_tool_name} or {@code duplicate_tool_id} if the new one brings a tool that
     *         another source has; {@code source_unreadable} if it cannot say what it has; {@code source_withdrawn} if this was
     *         withdrawn. The registry is then as before
     */
    public void replace(ToolProvider provider) {
        registry.replace(source, provider);
    }

    /** Takes the source out of its registry. A catalog that was taken before goes on working. Does nothing the second time. */
    public void withdraw() {
        registry.withdraw(source);
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
