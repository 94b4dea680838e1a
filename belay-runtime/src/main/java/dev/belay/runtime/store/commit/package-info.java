/**
 * Commits that operations share: {@link dev.belay.runtime.store.commit.GroupCommit} is the one thread that writes the rows of a
 * store. {@code PendingAnswer} and {@code WorkQueue} connect such threads with their callers.
 */
@NullMarked
package dev.belay.runtime.store.commit;

import org.jspecify.annotations.NullMarked;
