package dev.belay.model.openai;

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
 */
record OpenAiOptions(String model, boolean streaming, boolean strict, boolean newFields,
        boolean keepsReasoning, boolean pictures,
        @Nullable String cacheKey) {}
