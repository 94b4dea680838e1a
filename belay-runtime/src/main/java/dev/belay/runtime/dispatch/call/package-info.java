/**
 * One call: the pipeline and its stages, the attempt and its record, gate and hooks.
 *
 * <p>Not here: the thread, deadline and context of a body ({@code dev.belay.runtime.dispatch.body}).
 */
@NullMarked
package dev.belay.runtime.dispatch.call;

import org.jspecify.annotations.NullMarked;
