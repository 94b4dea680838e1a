package dev.belay.model;

import dev.belay.json.Json;
import java.util.Objects;

/**
 * A provider's own form of an assistant message: what no neutral form can keep, such as signatures of reasoning. A model
 * sends the payload of its own provider back exactly as it came and ignores every other. As the ids of calls in the payload
 * are the provider's (see {@link Message.AssistantMessage#withCallIds}), it writes a reply under the id that the call at
 * the same position has in the payload.
 *
 * @param provider which wire protocol it belongs to, such as {@code openai-responses}
 * @param payload the message as the provider wrote it
 */
public record NativePayload(String provider, Json payload) {

    /** Refuses an empty provider. */
    public NativePayload {
        if (provider.isEmpty()) {
            throw new IllegalArgumentException("the provider of a native payload must not be empty");
        }
        Objects.requireNonNull(payload, "payload");
    }
}
