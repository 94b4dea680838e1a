package dev.belay.model.openai;

import dev.belay.model.Generation.Effort;
import dev.belay.model.http.wire.Extras;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all requests of one model share.
 *
 * @param model its name
 * @param streaming whether answers are asked for as streams
 * @param strict whether the server is to hold the model to its schemas, which not every schema and server allows
 * @param newFields whether the server knows the field names that OpenAI introduced with its reasoning models
 * @param keepsReasoning whether reasoning is asked for in the form that can be sent back
 * @param pictures whether pictures that replies of tools name are shown
 * @param cacheKey groups requests that start alike, or null
 * @param efforts words for efforts that differ from their names
 * @param extras fields and built-in tools of the program
 */
record OpenAiOptions(String model, boolean streaming, boolean strict, boolean newFields,
        boolean keepsReasoning, boolean pictures,
        @Nullable String cacheKey, Map<Effort, String> efforts, Extras extras) {

    OpenAiOptions {
        efforts = Map.copyOf(efforts);
    }

    /** The server's word for an effort. */
    String word(Effort effort) {
        return efforts.getOrDefault(effort, effort.name().toLowerCase(Locale.ROOT));
    }
}
