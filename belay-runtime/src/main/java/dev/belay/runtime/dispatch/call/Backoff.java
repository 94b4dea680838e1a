package dev.belay.runtime.dispatch.call;

import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How long to wait before another attempt. */
final class Backoff {

    private Backoff() {}

    /**
     * Draws a delay: anything from nothing to the exponential bound, so that many calls that failed together do not come back
     * together, and never less than what the failure asked for.
     *
     * @param failed how many attempts have failed
     * @param after what the failure asked for, or null
     */
    static Duration draw(RetryPolicy policy, int failed, @Nullable Duration after, RandomGenerator random) {
        double bound = (double) policy.firstDelay().toMillis() * Math.pow(policy.factor(), failed - 1.0);
        long millis = (long) Math.min(bound, (double) policy.maxDelay().toMillis());
        Duration drawn = Duration.ofMillis(millis == 0 ? 0 : random.nextLong(millis + 1));
        return after == null ? drawn : after.plus(drawn);
    }
}
