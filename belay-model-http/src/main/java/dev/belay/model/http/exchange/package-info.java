/**
 * The parts of {@link dev.belay.model.http.ModelHttp}: one exchange over the JDK's client, the bytes and events of its answer,
 * timeouts, retries, and error messages. Settings and interfaces that users or provider modules name are one package up.
 */
@NullMarked
package dev.belay.model.http.exchange;

import org.jspecify.annotations.NullMarked;
