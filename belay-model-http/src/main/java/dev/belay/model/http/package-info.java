/**
 * Models over HTTP: the settings that users give to a builder, the discovery of a model, and the client that provider modules
 * use.
 *
 * <p>A protocol writes a {@link dev.belay.model.http.WireRequest} and reads the answer with an
 * {@link dev.belay.model.http.AnswerReader}, which tells events to an {@link dev.belay.model.http.ArrivingAnswer}.
 * {@link dev.belay.model.http.ModelHttp} does the rest: connection, timeouts, retries, cancellation and error messages. Its parts
 * are in {@code dev.belay.model.http.exchange}, which is not exported. No class here knows a provider; the provider modules
 * {@code dev.belay.model.openai} and {@code dev.belay.model.anthropic} are next.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.http;
