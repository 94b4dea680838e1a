package dev.belay.toolset.budget;

import dev.belay.model.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How much may be spent: tokens, money, or both.
 *
 * @param tokens input and output together, or null for no limit
 * @param cost money, or null for no limit
 * @param prices needed for a limit on money
 */
public record SpendLimit(@Nullable Long tokens, @Nullable BigDecimal cost, @Nullable Prices prices) {

    /** Refuses negative limits, and money without prices. */
    public SpendLimit {
        if ((tokens != null && tokens < 0) || (cost != null && cost.signum() < 0)) {
            throw new IllegalArgumentException(
                    "a limit must not be negative, found " + tokens + " and " + cost);
        }
        if (cost != null && prices == null) {
            throw new IllegalArgumentException("a limit on money needs prices");
        }
    }

    /** A limit on tokens. */
    public static SpendLimit tokens(long tokens) {
        return new SpendLimit(tokens, null, null);
    }

    /** A limit on money. */
    public static SpendLimit cost(String cost, Prices prices) {
        return new SpendLimit(null, new BigDecimal(cost), prices);
    }

    /** The same with a limit on tokens too. */
    public SpendLimit andTokens(long most) {
        return new SpendLimit(most, cost, prices);
    }

    /** What a usage goes beyond, in words; null if it stays within. */
    public @Nullable String exceededBy(Usage usage) {
        long used = usage.total().orElse(0);
        if (tokens != null && used > tokens) {
            return used + " tokens of " + tokens;
        }
        if (cost != null && prices != null) {
            BigDecimal spent = prices.cost(usage);
            if (spent.compareTo(cost) > 0) {
                return "cost of " + spent.toPlainString() + " of " + cost.toPlainString();
            }
        }
        return null;
    }
}
