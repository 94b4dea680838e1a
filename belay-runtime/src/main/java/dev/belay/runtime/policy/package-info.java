/**
 * Decides whether a call may run. A {@link dev.belay.runtime.policy.Policy} is a pure function of a call;
 * {@link dev.belay.runtime.policy.Policy#rules} makes one of {@linkplain dev.belay.runtime.policy.PolicyRule rules}, of which the strictest that
 * matches counts. What a person is asked, and may answer, is here too: {@link dev.belay.runtime.policy.ApprovalRequest},
 * {@link dev.belay.runtime.policy.ApprovalAnswer}, {@link dev.belay.runtime.policy.Grant}.
 *
 * <p>Not here: the stage that asks a policy ({@code dev.belay.runtime.dispatch.call}); how a person's answer is written
 * ({@code dev.belay.runtime.operate}); rules in files ({@code dev.belay.config}).
 */
@NullMarked
package dev.belay.runtime.policy;

import org.jspecify.annotations.NullMarked;
