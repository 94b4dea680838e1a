package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;

/** Takes the events that steps of a resumable body tell. Thread-safe. */
@FunctionalInterface
public interface EventSink {

    /** Outside a process there is nowhere to tell events. */
    EventSink NONE = (scope, key, type, payload) -> {
        throw unavailable(type);
    };

    /**
     * Keeps an event.
     *
     * @param scope of the call, on its thread
     * @param key the same each time the body is entered
     */
    void tell(EffectScope scope, String key, String type, Json payload);

    /** The failure of an event that is told outside a process. */
    static ToolException unavailable(String type) {
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                "durable_effect_process_event_unavailable",
                "event \"" + type + "\" needs a process; this call runs outside of one"));
    }
}
