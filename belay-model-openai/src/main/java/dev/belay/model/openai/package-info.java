/**
 * {@link dev.belay.model.openai.OpenAiModel}: models behind OpenAI's protocols, hosted or on this machine.
 *
 * <p>A {@code Protocol} writes requests and makes the reader of an answer; {@code ChatProtocol} with {@code ChatReader} is Chat
 * Completions, {@code ResponsesProtocol} with {@code ResponsesReader} the Responses API. Sending is not here but in
 * {@code dev.belay.model.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.openai;
