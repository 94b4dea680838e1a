/**
 * Export, import, fork, stuck and abandoned turns.
 */
@NullMarked
package dev.belay.runtime.session.archive;

import org.jspecify.annotations.NullMarked;

