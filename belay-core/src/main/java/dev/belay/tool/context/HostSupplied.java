package dev.belay.tool.context;

import dev.belay.json.Json;
import dev.belay.tool.ToolId;
import org.jspecify.annotations.Nullable;

/** A context that knows what the host has decided about this call alone. Implemented by runtimes. */
public interface HostSupplied {

    /** What the host supplies to this call, beside what it supplies to the provider. */
    HostValues hostValues();

    /** How the call was prepared before it was approved; null outside a runtime. */
    default @Nullable Frozen frozen() {
        return null;
    }

    /**
     * A call as its provider has prepared it.
     *
     * @param tool which is called
     * @param arguments final ones
     * @param payload what the provider froze, or null
     */
    record Frozen(ToolId tool, Json arguments, @Nullable Json payload) {}
}
