package dev.belay.model.anthropic;

import dev.belay.json.Json;
import java.util.Map;

/**
 * What stays the same in all requests of one model.
 *
 * @param model its name
 * @param streaming whether answers are asked for as streams
 * @param maxOutputTokens sent when a request does not say
 * @param caching what is marked for the cache
 * @param thinking how an effort is said
 * @param fields more fields of the body; they win over those written here
 */
record AnthropicOptions(String model, boolean streaming, int maxOutputTokens, PromptCaching caching,
        Thinking thinking,
        Map<String, Json> fields) {

    AnthropicOptions {
        fields = Map.copyOf(fields);
    }
}
