/**
 * Stage 6 of a call: guards, then the policies of its agent and of the agents above it, then grants.
 * {@link dev.belay.runtime.dispatch.gate.Gate} decides, {@link dev.belay.runtime.dispatch.gate.Gating} says what it may know of the owner of
 * the call.
 *
 * <p>Not here: what a policy is ({@code dev.belay.runtime.policy}); the record that a call waits for a person
 * ({@code dev.belay.runtime.dispatch.call}).
 */
@NullMarked
package dev.belay.runtime.dispatch.gate;

import org.jspecify.annotations.NullMarked;
