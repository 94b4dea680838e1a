package dev.belay.runtime.catalog;

import dev.belay.tool.ToolProvider;

/** The handle of one source of a registry, for the code that added it. Thread-safe. */
public final class SourceHandle {

    private final ToolRegistry registry;
    private final ToolSource source;

    SourceHandle(ToolRegistry registry, ToolSource source) {
        this.registry = registry;
        this.source = source;
    }

    /** The source. */
    public ToolSource source() {
        return source;
    }

    /**
     * Puts another provider at the place of this source. Tools that both have keep their place and their membership.
     *
     * @throws dev.belay.BelayException {@code duplicate_tool_name} or {@code duplicate_tool_id} if the new provider brings a tool
     *         that another source has; {@code source_unreadable} if it cannot say which tools it has; {@code source_withdrawn} if
     *         this source was withdrawn. The registry is then as before
     */
    public void replace(ToolProvider provider) {
        registry.replace(source, provider);
    }

    /** Takes the source out of its registry. A catalog that was taken before still works. Does nothing the second time. */
    public void withdraw() {
        registry.withdraw(source);
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
