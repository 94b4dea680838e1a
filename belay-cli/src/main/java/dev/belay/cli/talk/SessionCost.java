package dev.belay.cli.talk;

import dev.belay.cli.shell.Times;
import dev.belay.model.Usage;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnInfo;
import dev.belay.runtime.session.TurnResult;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a session has used in all its turns that have ended.
 *
 * @param turns how many
 * @param usage tokens
 * @param cost unknown without prices
 */
record SessionCost(long turns, Usage usage, @Nullable BigDecimal cost) {

    private static final int PAGE = 200;
    private static final int HUNDRED = 100;
    private static final MathContext ROUGHLY = new MathContext(2);

    /** Of a session. */
    static SessionCost of(Session session) {
        var sum = new SessionCost(0, Usage.NONE, null);
        List<TurnInfo> page;
        do {
            page = session.turns(sum.turns() + 1, PAGE);
            for (TurnInfo turn : page) {
                Optional<TurnResult.Ended> result = turn.result();
                BigDecimal cost = result.map(TurnResult.Ended::cost).orElse(null);
                sum = new SessionCost(sum.turns() + 1,
                        result.map(TurnResult.Ended::usage).orElse(Usage.NONE).plus(sum.usage()),
                        cost == null ? sum.cost() : sum.cost() == null ? cost : cost.add(sum.cost()));
            }
        } while (page.size() == PAGE);
        return sum;
    }

    /** A line for {@code /cost}. */
    String words() {
        List<String> parts = new ArrayList<>(List.of(turns + (turns == 1 ? " turn" : " turns")));
        usage.input().ifPresent(tokens -> parts.add(tokens + " tokens read"));
        usage.cacheRead().ifPresent(tokens -> parts.add(tokens + " of them cached"));
        usage.output().ifPresent(tokens -> parts.add(tokens + " tokens written"));
        parts.add(cost == null ? "cost unknown: belay.toml names no prices" : "cost " + cost.toPlainString());
        return String.join(", ", parts);
    }

    /**
     * A line above the prompt.
     *
     * @param model that answers
     * @param last what the last round has read and written
     * @param context how much the model can read and write, if that is known
     */
    String status(String model, Usage last, Optional<Long> context) {
        List<String> parts = new ArrayList<>(List.of(model));
        usage.total().ifPresent(tokens -> parts.add(Times.many(tokens) + " tokens"));
        if (cost != null && cost.signum() > 0) {
            parts.add("cost " + cost.round(ROUGHLY).stripTrailingZeros().toPlainString());
        }
        last.total()
                .ifPresent(tokens -> parts.add("context " + context
                        .map(most -> tokens * HUNDRED / most + " % of " + Times.many(most))
                        .orElse(Times.many(tokens))));
        return String.join(" | ", parts);
    }
}
