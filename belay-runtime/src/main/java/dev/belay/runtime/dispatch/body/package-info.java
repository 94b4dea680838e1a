/**
 * Running a body: its thread, its deadline, its context, the steps of a resumable one.
 *
 * <p>Not here: what is recorded of a call ({@code dev.belay.runtime.dispatch.call}).
 */
@NullMarked
package dev.belay.runtime.dispatch.body;

import org.jspecify.annotations.NullMarked;
