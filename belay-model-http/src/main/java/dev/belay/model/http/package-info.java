/**
 * One exchange with a model over HTTP, for the modules that speak a provider's protocol.
 *
 * <p>A protocol writes a {@link dev.belay.model.http.WireRequest} and reads what comes back with an
 * {@link dev.belay.model.http.AnswerReader}, which tells an {@link dev.belay.model.http.ArrivingAnswer}. Everything between is here, in
 * {@link dev.belay.model.http.ModelHttp}: the connection, the cutting of a stream into events, gzip, timeouts, retries,
 * cancellation, the proxy, and the wording of what went wrong. Nothing here knows a provider.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.http;
