package dev.belay.tool.option;

import java.time.Duration;

/**
 * How often a failed attempt may be repeated. A failure must allow it too, and a started {@code ONCE} body never is.
 *
 * @param attempts at most this many, the first included
 * @param firstDelay before the second attempt, before jitter
 * @param factor by which each further delay grows
 * @param maxDelay no delay is longer
 */
public record RetryPolicy(int attempts, Duration firstDelay, double factor, Duration maxDelay) {

    /** No second attempt. */
    public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ofMillis(500), 2,
            Duration.ofSeconds(30));

    /** Refuses what makes no sense. */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, found " + attempts);
        }
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("factor must be at least 1, found " + factor);
        }
        if (firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "delays must satisfy 0 <= first <= max, found " + firstDelay + " and " + maxDelay);
        }
    }

    /** At most this many attempts, with the delays of {@link #NONE}. */
    public static RetryPolicy attempts(int attempts) {
        return new RetryPolicy(attempts, NONE.firstDelay, NONE.factor, NONE.maxDelay);
    }
}
