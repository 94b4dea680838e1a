/**
 * The loop that your code owns. A {@link dev.belay.toolset.Transcript} holds messages; one
 * {@link dev.belay.toolset.Step} asks a model; a {@link dev.belay.toolset.Round} of typed calls is answered by your code and
 * enters the transcript only by {@code commit}. Nothing here runs a tool by itself.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolset;
