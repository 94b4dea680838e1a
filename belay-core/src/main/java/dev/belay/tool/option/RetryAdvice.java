package dev.belay.tool.option;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when a failed call may be tried again.
 *
 * @param allowed whether it may help
 * @param after not before this has passed, or null
 */
public record RetryAdvice(boolean allowed, @Nullable Duration after) {

    /** It will not help. */
    public static final RetryAdvice NEVER = new RetryAdvice(false, null);
    /** It may help. */
    public static final RetryAdvice ALLOWED = new RetryAdvice(true, null);

    /** Refuses a delay without permission, and a negative one. */
    public RetryAdvice {
        if (after != null && (!allowed || after.isNegative())) {
            throw new IllegalArgumentException(
                    "\"after\" needs an allowed retry and no negative time, found " + after);
        }
    }

    /** It may help after some time. */
    public static RetryAdvice after(Duration delay) {
        return new RetryAdvice(true, delay);
    }
}
