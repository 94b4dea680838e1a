/**
 * One call: {@link dev.belay.tool.call.Admission} decides whether its tool was offered, {@link dev.belay.tool.call.Arguments} reads
 * and validates its arguments, {@link dev.belay.tool.call.PrepareCall} lets the provider change it, and
 * {@link dev.belay.tool.call.BodyRunner} runs the body.
 *
 * <p>Deadlines, retries, schedules and records are not here; the runtime adds them. Capabilities of a body stand in
 * {@code dev.belay.tool.context}.
 */
@NullMarked
package dev.belay.tool.call;

import org.jspecify.annotations.NullMarked;
