package dev.belay.runtime.session;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a turn may go. What is not yet recorded is decided by the bounds of today: a turn that goes on after a restart has
 * those of the new configuration.
 *
 * @param maxRounds how often a model may be asked
 * @param idleRounds how many rounds in a row may bring neither text nor a successful call
 * @param maxTokens how many tokens, read and written, may be used; 0 for any number
 * @param maxCost how much it may cost, by the prices of its models; null for any amount
 * @param maxTime how long after its input was accepted, waiting included, a model may still be asked; null for any time. It is
 *        looked at before each question and interrupts nothing: calls have deadlines of their own
 */
public record TurnBounds(int maxRounds, int idleRounds, long maxTokens, @Nullable BigDecimal maxCost,
        @Nullable Duration maxTime) {

    /** Enough for long work, and an end for a model that goes in circles. */
    public static final int MAX_ROUNDS = 50;
    /** A model that has not got anywhere in a dozen rounds will not in the next. */
    public static final int IDLE_ROUNDS = 12;
    /** The bounds of a runtime that sets none. */
    public static final TurnBounds DEFAULT = new TurnBounds(MAX_ROUNDS, IDLE_ROUNDS, 0, null, null);

    /** Refuses what makes no sense. */
    public TurnBounds {
        if (maxRounds < 1 || idleRounds < 1 || maxTokens < 0) {
            throw new IllegalArgumentException(
                    "a turn needs at least one round and no negative budget, found "
                            + maxRounds + " rounds, " + idleRounds + " idle rounds, " + maxTokens
                            + " tokens");
        }
        if (maxCost != null && maxCost.signum() <= 0) {
            throw new IllegalArgumentException("the cost of a turn must be positive, found " + maxCost);
        }
        if (maxTime != null && (maxTime.isZero() || maxTime.isNegative())) {
            throw new IllegalArgumentException("the time of a turn must be positive, found " + maxTime);
        }
    }

    /** The same with another number of rounds. */
    public TurnBounds withMaxRounds(int rounds) {
        return new TurnBounds(rounds, idleRounds, maxTokens, maxCost, maxTime);
    }

    /** The same with another number of rounds that bring nothing. */
    public TurnBounds withIdleRounds(int rounds) {
        return new TurnBounds(maxRounds, rounds, maxTokens, maxCost, maxTime);
    }

    /** The same with another budget of tokens. */
    public TurnBounds withMaxTokens(long tokens) {
        return new TurnBounds(maxRounds, idleRounds, tokens, maxCost, maxTime);
    }

    /** The same with another budget of cost, in the currency of the prices. */
    public TurnBounds withMaxCost(BigDecimal cost) {
        return new TurnBounds(maxRounds, idleRounds, maxTokens, cost, maxTime);
    }

    /** The same with another time. */
    public TurnBounds withMaxTime(Duration time) {
        return new TurnBounds(maxRounds, idleRounds, maxTokens, maxCost, time);
    }
}
