package dev.belay.runtime.dispatch.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract G.3: exponential delays with real jitter that honour "after". */
class BackoffTest {

    private static final RetryPolicy POLICY = new RetryPolicy(9, Duration.ofSeconds(1), 2,
            Duration.ofSeconds(10));

    private static Duration longest(int failed, @Nullable Duration after) {
        RandomGenerator highest = new RandomGenerator() {
            @Override
            public long nextLong() {
                return Long.MAX_VALUE;
            }

            @Override
            public long nextLong(long bound) {
                return bound - 1;
            }
        };
        return Backoff.draw(POLICY, failed, after, highest);
    }

    @Test
    void theBoundGrowsUpToItsMost() {
        assertThat(longest(1, null)).isEqualTo(Duration.ofSeconds(1));
        assertThat(longest(2, null)).isEqualTo(Duration.ofSeconds(2));
        assertThat(longest(4, null)).isEqualTo(Duration.ofSeconds(8));
        assertThat(longest(5, null)).isEqualTo(Duration.ofSeconds(10));
        assertThat(longest(1_000, null)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void whatTheFailureAsksForIsTheLeast() {
        var random = new Random(5);
        for (int n = 0; n < 1_000; n++) {
            assertThat(Backoff.draw(POLICY, 3, Duration.ofMinutes(1), random))
                    .isBetween(Duration.ofMinutes(1), Duration.ofSeconds(64));
        }
    }

    @Test
    void delaysDifferAndFillTheirRange() {
        var random = new Random(6);
        Set<Duration> drawn = new HashSet<>();
        for (int n = 0; n < 1_000; n++) {
            Duration delay = Backoff.draw(POLICY, 4, null, random);
            assertThat(delay).isBetween(Duration.ZERO, Duration.ofSeconds(8));
            drawn.add(delay);
        }
        assertThat(drawn).hasSizeGreaterThan(900)
                .anyMatch(delay -> delay.compareTo(Duration.ofSeconds(1)) < 0)
                .anyMatch(delay -> delay.compareTo(Duration.ofSeconds(7)) > 0);
    }

    @Test
    void noDelayNeedsNoChance() {
        assertThat(Backoff.draw(new RetryPolicy(2, Duration.ZERO, 1, Duration.ZERO), 1, null, new Random(1)))
                .isZero();
    }
}
