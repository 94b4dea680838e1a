package dev.belay.model.openai;

import org.jspecify.annotations.Nullable;

/**
 * What stays the same in all requests of one model.
 *
 * @param model its name
 * @param streaming whether answers are asked for as streams
 * @param strict whether schemas are to be followed to the letter, which not every schema and server can
 * @param newFields whether the server knows the field names that OpenAI has introduced for its reasoning models
 * @param keepsReasoning whether reasoning is asked for in the form that can be sent back
 * @param cacheKey groups requests that start alike, or null
 */
record OpenAiOptions(String model, boolean streaming, boolean strict, boolean newFields,
        boolean keepsReasoning,
        @Nullable String cacheKey) {}
