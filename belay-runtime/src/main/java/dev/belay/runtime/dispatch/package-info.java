/**
 * One batch of tool calls, from what a model said to how each call ended.
 *
 * <p>Start with {@link dev.belay.runtime.dispatch.DurableCalls} to run calls that survive the process, or with
 * {@link dev.belay.runtime.dispatch.ToolDispatcher} to run a batch inside a scope of your own. One call, followed:
 * {@code ToolDispatcher} → {@code BatchSchedule} (who runs when) → {@code CallPipeline} (the nine stages) →
 * {@code AttemptEffect} (what is recorded) → {@code Attempt} (the thread of the body) → your body.
 *
 * <p>Not here: what a record is and when it is written ({@code dev.belay.runtime.effect}); plugins, policy and output budgets,
 * which fill the seams {@link dev.belay.runtime.dispatch.CallHooks}, {@link dev.belay.runtime.dispatch.CallGate} and
 * {@link dev.belay.runtime.dispatch.OutputProjection}.
 */
@NullMarked
package dev.belay.runtime.dispatch;

import org.jspecify.annotations.NullMarked;
