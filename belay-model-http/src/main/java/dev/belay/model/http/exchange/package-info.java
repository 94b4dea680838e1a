/**
 * One request and its answer over HTTP: event streams, patience, retries, and the words for what went wrong.
 */
@NullMarked
package dev.belay.model.http.exchange;

import org.jspecify.annotations.NullMarked;

