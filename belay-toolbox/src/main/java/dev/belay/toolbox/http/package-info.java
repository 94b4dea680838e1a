/**
 * Pages of the web as a tool: {@code http_get}. {@link dev.belay.toolbox.http.HttpTools} is the provider,
 * {@link dev.belay.toolbox.http.HttpRules} what a host may set. A name is resolved once, its address is checked, and the
 * connection goes to that address.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.http;
