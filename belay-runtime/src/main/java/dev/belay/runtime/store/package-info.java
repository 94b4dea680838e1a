/**
 * What is kept of scopes, sessions and processes. {@link dev.belay.runtime.store.Store} applies what the rules
 * ({@code dev.belay.runtime.store.law}) decide. The one in memory is {@code dev.belay.runtime.store.memory}; others are modules of their
 * own.
 */
@NullMarked
package dev.belay.runtime.store;

import org.jspecify.annotations.NullMarked;
