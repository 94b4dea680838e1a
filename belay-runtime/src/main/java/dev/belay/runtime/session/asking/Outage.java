package dev.belay.runtime.session.asking;

import dev.belay.model.ModelException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The failed tries of one round so far. Decides whether the model is asked again, and when. Immutable.
 *
 * @param tries how many have failed
 * @param cuts how many in a row have failed after a part of an answer had arrived
 * @param last the last one, or null
 * @param until the end of patience, which the first one has set, or null
 */
public record Outage(int tries, int cuts, @Nullable FailedTry last, @Nullable Instant until) {

    /** No try has failed. */
    public static final Outage NONE = new Outage(0, 0, null, null);

    /** A provider charges for an answer that is cut, and one that cuts three in a row will cut the next. */
    static final int MOST_CUTS = 3;
    /** Outages of seconds are over by then; more would burden a provider that is down. */
    static final Duration LONGEST_DELAY = Duration.ofSeconds(60);
    /** The first delay is at most this, and at least half of it. */
    static final Duration FIRST_DELAY = Duration.ofSeconds(2);

    /**
     * A moment at which the model is asked again.
     *
     * @param delay as it was drawn
     * @param due after that delay, or at the end of patience
     * @param until the end of patience
     */
    record Next(Duration delay, Instant due, Instant until) {}

    /** The same after another failed try. */
    public Outage after(FailedTry failed) {
        return new Outage(tries + 1, failed.cut() ? cuts + 1 : 0, failed,
                until == null ? failed.until() : until);
    }

    /** Whether a part of an answer had arrived: its price may have been charged. */
    private static boolean isCut(ModelException failure) {
        return failure.partial().isPresent() || failure.kind() == ModelException.Kind.PROTOCOL;
    }

    /**
     * The record of a failure after which the model is asked again; empty if it is not.
     *
     * @param cost of the question, or null if the model has no price
     * @param unrecorded whether a process that died may have asked before
     */
    public Optional<FailedTry> failed(ModelException failure, ModelChoice choice, @Nullable BigDecimal cost,
            boolean unrecorded, Instant now, RandomGenerator random) {
        return next(failure, choice.patience(), now, random).map(next -> new FailedTry(failure.code(),
                String.valueOf(failure.getMessage()), isCut(failure), choice.model(), failure.usage(), cost,
                unrecorded, next.delay(), next.due(), until == null ? next.until() : null));
    }

    /**
     * When the model is asked again; empty if it is not. The delay doubles with each try up to a minute; its upper half is drawn, and what
     * the provider asks for is a lower bound. The last try stands at the end of patience.
     *
     * @param failure of the try that has failed now
     * @param patience counted from the first failure of the round
     */
    Optional<Next> next(ModelException failure, Duration patience, Instant now,
            RandomGenerator random) {
        Instant end = until == null ? now.plus(patience) : until;
        boolean cutTooOften = isCut(failure) && cuts + 1 >= MOST_CUTS;
        if (!failure.retryable() || cutTooOften || !now.isBefore(end)) {
            return Optional.empty();
        }
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(Duration.between(now, end)) > 0) {
            return Optional.empty();
        }
        long half = Math.min(FIRST_DELAY.toMillis() << Math.min(tries, 16), LONGEST_DELAY.toMillis()) / 2;
        // not before the provider allows it, and not all turns at once
        var delay = Duration.ofMillis(Math.max(asked.toMillis(), half) + random.nextLong(half + 1));
        Instant due = now.plus(delay);
        return Optional.of(new Next(delay, due.isAfter(end) ? end : due, end));
    }
}
