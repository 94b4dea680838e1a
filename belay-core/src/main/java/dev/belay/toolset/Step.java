package dev.belay.toolset;

/**
 * The result of one request with tools.
 *
 * @param <T> the set
 * @param <R> the answer
 */
public sealed interface Step<T, R> {

    /**
     * The model answered; its message is in the transcript.
     *
     * @param value the answer
     * @param <T> the set
     * @param <R> the answer
     */
    record Finished<T, R>(R value) implements Step<T, R> {}

    /**
     * The model refused; its message is in the transcript.
     *
     * @param reason what it said
     * @param <T> the set
     * @param <R> the answer
     */
    record Refused<T, R>(String reason) implements Step<T, R> {}

    /**
     * The model wants tools; nothing is in the transcript until the round is committed.
     *
     * @param round its calls
     * @param <T> the set
     * @param <R> the answer
     */
    record NeedsTools<T, R>(Round<T> round) implements Step<T, R> {}
}
