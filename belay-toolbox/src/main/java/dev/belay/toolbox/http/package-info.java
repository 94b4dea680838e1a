/**
 * Web pages as a tool: {@code http_get}. {@link dev.belay.toolbox.http.HttpTools} is the provider,
 * {@link dev.belay.toolbox.http.HttpRules} the host's settings. A name is resolved once, its address is checked, and the
 * connection goes to that address. Requests to models are not here but in {@code dev.belay.model.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.http;
