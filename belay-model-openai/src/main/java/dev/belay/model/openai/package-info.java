/**
 * {@link dev.belay.model.openai.OpenAiModel}: models behind OpenAI's protocols, hosted or on this machine.
 *
 * <p>Each protocol is a writer of requests and a reader of answers; how they travel is in {@code dev.belay.model.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.openai;
