/**
 * The loop that your code owns. A {@link dev.belay.toolset.Transcript} holds messages; one
 * {@link dev.belay.toolset.Step} asks a model; a {@link dev.belay.toolset.Round} of typed calls is answered by your code and
 * enters the transcript only by {@code commit}. Nothing here runs a tool by itself.
 *
 * <p>Budgets of requests stand in {@code dev.belay.toolset.budget}, the engine in {@code dev.belay.toolset.loop}. The loop that the
 * runtime owns is in the module {@code dev.belay.runtime}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolset;
