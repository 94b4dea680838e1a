package dev.belay.runtime.session.turn;

import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.state.TurnState;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * Says whether a turn may ask once more.
 *
 * @param bounds how far it may go
 * @param models with today's prices
 */
record TurnLimits(TurnBounds bounds, Models models) {

    /**
     * What ends the turn.
     *
     * @param state the turn so far
     * @param round the number of the coming round
     * @param taken since the input was accepted
     */
    Optional<TurnEnd> reached(TurnState state, int round, Duration taken) {
        if (round > bounds.maxRounds()) {
            return Optional
                    .of(TurnStops.bound(TurnEnd.Cause.MAX_ROUNDS, "the turn has had " + bounds.maxRounds()
                            + " rounds, which is as many as it may have", "rounds", bounds.maxRounds()));
        }
        if (state.idle() >= bounds.idleRounds()) {
            return Optional.of(TurnStops.bound(TurnEnd.Cause.NO_PROGRESS, "the last " + state.idle()
                    + " rounds brought neither text nor a successful call", "rounds", state.idle()));
        }
        long tokens = state.spending().usage().total().orElse(0);
        if (bounds.maxTokens() > 0 && tokens >= bounds.maxTokens()) {
            return Optional.of(TurnStops.bound(TurnEnd.Cause.TOKEN_BUDGET, "the turn has used " + tokens
                    + " tokens; it may use " + bounds.maxTokens(), "tokens", tokens));
        }
        BigDecimal budget = bounds.maxCost();
        BigDecimal spent = state.spending().cost(models);
        if (budget != null && spent.compareTo(budget) >= 0) {
            return Optional.of(TurnStops.stopped(TurnEnd.Cause.COST_BUDGET, "the turn has cost "
                    + spent.toPlainString() + "; it may cost " + budget.toPlainString(),
                    out -> out.name("spent").value(spent).name("allowed").value(budget)));
        }
        Duration most = bounds.maxTime();
        if (most != null && taken.compareTo(most) >= 0) {
            return Optional.of(TurnStops.bound(TurnEnd.Cause.TIME_BUDGET, "the turn has taken " + taken
                    + " since it was accepted; it may take " + most, "millis", taken.toMillis()));
        }
        return Optional.empty();
    }
}
