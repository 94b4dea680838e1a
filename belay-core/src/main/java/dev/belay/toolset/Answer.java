package dev.belay.toolset;

/**
 * The result of one request without tools. The model's message is in the transcript.
 *
 * @param <R> the answer
 */
public sealed interface Answer<R> {

    /**
     * The model answered.
     *
     * @param value the answer
     * @param <R> the answer
     */
    record Given<R>(R value) implements Answer<R> {}

    /**
     * The model refused.
     *
     * @param reason what it said
     * @param <R> the answer
     */
    record Refused<R>(String reason) implements Answer<R> {}
}
