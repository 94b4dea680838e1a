/**
 * What is kept of sessions, and where. {@link dev.belay.runtime.store.SessionStore} is the seam: a journal and the sessions
 * beside it, in one transaction where that matters. The one in memory is
 * {@code dev.belay.runtime.store.memory}; others are modules of their own.
 */
@NullMarked
package dev.belay.runtime.store;

import org.jspecify.annotations.NullMarked;
