/**
 * The engine of the loop that your code owns: reading a set of tools ({@link dev.belay.toolset.loop.SetLayout}), choosing what a
 * request offers ({@link dev.belay.toolset.loop.Offer}), asking the model ({@link dev.belay.toolset.loop.StepEngine}), and keeping
 * a round until it is committed ({@link dev.belay.toolset.loop.RoundState}). A {@link dev.belay.toolset.loop.RoundBackend} runs
 * the calls: at once, inside a call of the runtime, or through a {@link dev.belay.toolset.loop.LoopHost}.
 *
 * <p>Programs do not name these types; they use {@code dev.belay.toolset}. Only the runtime sees this package. Budgets stand in
 * {@code dev.belay.toolset.budget}, running one body in {@code dev.belay.tool.call}.
 */
@NullMarked
package dev.belay.toolset.loop;

import org.jspecify.annotations.NullMarked;
