package dev.belay.model.anthropic;

import dev.belay.model.http.wire.Extras;
import java.time.InstantSource;

/**
 * The settings that all requests of one model share.
 *
 * @param model its name
 * @param streaming whether answers are asked for as streams
 * @param maxOutputTokens the limit of requests that set none
 * @param caching which parts are marked for the cache
 * @param thinking the form in which an effort is sent
 * @param extras fields and built-in tools of the program
 * @param pictures whether pictures that replies of tools name are shown
 * @param references whether tools that a search has found are loaded where it found them
 * @param clock tells whether a container has expired
 */
record AnthropicOptions(String model, boolean streaming, int maxOutputTokens, PromptCaching caching,
        Thinking thinking,
        Extras extras, boolean pictures, boolean references, InstantSource clock) {}
