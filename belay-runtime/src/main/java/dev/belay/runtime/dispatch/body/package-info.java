/**
 * Running a body: its place, its thread, its deadlines, its context, the steps of a resumable one. Start with {@code Attempt}.
 * {@link dev.belay.runtime.dispatch.body.BodyCall} is all that it knows of the call;
 * {@link dev.belay.runtime.dispatch.body.CallOwner} is what a turn or a process adds to calls.
 *
 * <p>Not here: stages before and after the body, and what is recorded of it ({@code dev.belay.runtime.dispatch.call}).
 */
@NullMarked
package dev.belay.runtime.dispatch.body;

import org.jspecify.annotations.NullMarked;
