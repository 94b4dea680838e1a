package dev.belay.runtime.process;

import dev.belay.json.Json;

/** Tells events of the process that a call runs in. Confined to one call, like its context. */
public interface ProcessEventsCapability {

    /**
     * Adds an event to the process. An event that is told again, on a second attempt or after a restart, is added once.
     *
     * @throws dev.belay.tool.ToolException {@code durable_effect_process_event_unavailable} if the call does not run in a process
     */
    void emit(String type, Json payload);
}
