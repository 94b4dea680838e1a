package dev.belay.runtime.catalog;

import org.jspecify.annotations.Nullable;

/**
 * Something the operator should know. Told by whoever brings about the state that it belongs to, so that it is told once.
 *
 * @param text what
 * @param cause what was thrown, or null
 */
record Warning(String text, @Nullable Throwable cause) {}
