/**
 * One call: the order of its batch, its nine stages, its attempts and how each is settled, its events. Start with
 * {@code CallPipeline}.
 *
 * <p>Not here: the thread, deadline, context and steps of a body ({@code dev.belay.runtime.dispatch.body}); the forms of records
 * ({@code dev.belay.runtime.dispatch.record}). Nothing in those packages uses this one.
 */
@NullMarked
package dev.belay.runtime.dispatch.call;

import org.jspecify.annotations.NullMarked;
