package dev.belay.model.anthropic;

import dev.belay.json.Json;
import java.time.InstantSource;
import java.util.Map;

/**
 * The settings that all requests of one model share.
 *
 * @param model its name
 * @param streaming whether answers are asked for as streams
 * @param maxOutputTokens the limit of requests that set none
 * @param caching which parts are marked for the cache
 * @param thinking the form in which an effort is sent
 * @param fields more fields of the body; they win over fields of the same name
 * @param pictures whether pictures that replies of tools name are shown
 * @param references whether tools that a search has found are loaded where it found them
 * @param clock tells whether a container has expired
 */
record AnthropicOptions(String model, boolean streaming, int maxOutputTokens, PromptCaching caching,
        Thinking thinking,
        Map<String, Json> fields, boolean pictures, boolean references, InstantSource clock) {

    AnthropicOptions {
        fields = Map.copyOf(fields);
    }
}
