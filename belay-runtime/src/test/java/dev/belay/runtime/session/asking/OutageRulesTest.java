package dev.belay.runtime.session.asking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a model is asked again. */
class OutageRulesTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final RandomGenerator random = new SplittableRandom(7);

    private static ModelException down() {
        return new ModelException(Kind.UNAVAILABLE, "down");
    }

    private static ModelException cut() {
        return down().withPartial(
                new ModelResponse(Message.assistant("half"), FinishReason.OTHER, Usage.NONE, "m", ""));
    }

    /** An outage after some failures, a second apart. */
    private static Outage after(ModelException... failures) {
        Outage outage = Outage.NONE;
        for (ModelException failure : failures) {
            outage = outage
                    .after(new FailedTry(failure.code(), "x", failure.partial().isPresent(), "m", Usage.NONE,
                            null, false, Duration.ofSeconds(1), NOW,
                            outage.until() == null ? NOW.plus(PATIENCE) : null));
        }
        return outage;
    }

    private Optional<Outage.Next> next(Outage outage, ModelException failure, Duration later) {
        return outage.next(failure, PATIENCE, NOW.plus(later), random);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyKindThatMayPassIsAskedAgainAndNoOther(Kind kind) {
        assertThat(next(Outage.NONE, new ModelException(kind, "x"), Duration.ZERO).isPresent())
                .isEqualTo(kind.retryable());
        assertThat(next(Outage.NONE, new ModelException(kind, "x").asSettled(), Duration.ZERO)).isEmpty();
    }

    @Test
    void delaysDoubleUpToAMinuteAndTheirUpperHalfIsDrawn() {
        long[] most = {2, 4, 8, 16, 32, 60, 60, 60};
        var failures = new ModelException[0];
        for (long seconds : most) {
            Outage outage = after(failures);
            for (int i = 0; i < 200; i++) {
                assertThat(next(outage, down(), Duration.ofSeconds(1)).orElseThrow().delay())
                        .isBetween(Duration.ofSeconds(seconds / 2), Duration.ofSeconds(seconds));
            }
            failures = Arrays.copyOf(failures, failures.length + 1);
            failures[failures.length - 1] = down();
        }
    }

    @Test
    void theLastTryStandsAtTheEndOfPatienceAndAfterItThereIsNone() {
        Outage outage = after(down(), down(), down(), down(), down(), down());
        assertThat(next(outage, down(), Duration.ofSeconds(590)).orElseThrow().due())
                .isEqualTo(NOW.plus(PATIENCE));
        assertThat(next(outage, down(), PATIENCE)).isEmpty();
        assertThat(Outage.NONE.next(down(), Duration.ZERO, NOW, random)).isEmpty();
    }

    @Test
    void patienceIsCountedFromTheFirstFailure() {
        assertThat(next(Outage.NONE, down(), Duration.ZERO).orElseThrow().until())
                .isEqualTo(NOW.plus(PATIENCE));
        assertThat(next(after(down()), down(), Duration.ofMinutes(3)).orElseThrow().until())
                .isEqualTo(NOW.plus(PATIENCE));
    }

    @Test
    void theProvidersWishIsALowerBoundAndEndsPatienceIfItIsLonger() {
        assertThat(
                next(Outage.NONE, down().withRetryAfter(Duration.ofSeconds(90)), Duration.ZERO).orElseThrow()
                        .delay())
                .isBetween(Duration.ofSeconds(90), Duration.ofSeconds(91));
        assertThat(next(Outage.NONE, down().withRetryAfter(Duration.ofDays(40_000_000)), Duration.ZERO))
                .isEmpty();
    }

    @Test
    void theThirdCutAnswerInARowIsTheLast() {
        assertThat(next(after(cut()), cut(), Duration.ZERO)).isPresent();
        assertThat(next(after(cut(), cut()), cut(), Duration.ZERO)).isEmpty();
        assertThat(next(after(cut(), cut()), down(), Duration.ZERO)).isPresent();
        assertThat(next(after(cut(), cut(), down(), cut()), cut(), Duration.ZERO)).isPresent();
    }
}
