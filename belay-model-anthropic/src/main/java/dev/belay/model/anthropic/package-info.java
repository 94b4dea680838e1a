/**
 * Models that speak Anthropic's Messages. {@link dev.belay.model.anthropic.AnthropicModel} is the way in;
 * {@code MessagesWriter} writes requests and {@code MessagesReader} reads answers, both without any I/O. How requests travel is
 * in {@code dev.belay.model.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.anthropic;
