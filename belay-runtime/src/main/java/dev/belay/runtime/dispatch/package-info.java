/**
 * Batches of tool calls, from what a model said to how each call ended.
 *
 * <p>Start with {@link dev.belay.runtime.dispatch.DurableCalls} to run calls that survive the process, or with
 * {@link dev.belay.runtime.dispatch.ToolDispatcher} to run a batch inside a scope of your own. The other types are the seams of a
 * call: {@link dev.belay.runtime.dispatch.CallHooks}, a {@code dev.belay.runtime.policy.Policy},
 * {@link dev.belay.runtime.output.OutputProjector.CallerView}, {@link dev.belay.runtime.dispatch.CallCaps},
 * {@link dev.belay.runtime.dispatch.ContextCarrier} and {@link dev.belay.runtime.dispatch.DispatchListener}.
 *
 * <p>One call, followed downwards: {@code ToolDispatcher} → {@code BatchSchedule} (the order of a batch) → {@code CallChild}
 * (one call as a child scope) → {@code CallPipeline} (nine stages) → {@code AttemptEffect} (what is recorded) →
 * {@code CallStages} (stages 1 to 6) → {@code Attempt} (the thread of the body) → your body.
 *
 * <p>Behind this door: {@code dispatch.call} runs one call and uses the other two; {@code dispatch.body} runs a body;
 * {@code dispatch.record} holds the records. Not here: what a record is and when it is written
 * ({@code dev.belay.runtime.effect}); plugins, policy and output budgets, which fill the seams.
 */
@NullMarked
package dev.belay.runtime.dispatch;

import org.jspecify.annotations.NullMarked;
