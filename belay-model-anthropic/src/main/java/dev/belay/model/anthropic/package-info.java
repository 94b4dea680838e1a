/**
 * Models behind Anthropic's Messages API. {@link dev.belay.model.anthropic.AnthropicModel} is the entry point;
 * {@code MessagesWriter} writes requests and {@code MessagesReader} reads answers, both without any I/O. Sending is not here but in
 * {@code dev.belay.model.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.anthropic;
