package dev.belay.toolset.budget;

import dev.belay.model.Usage;
import java.math.BigDecimal;
import java.util.stream.Stream;

/**
 * What a model's tokens cost, per million, in one currency.
 *
 * @param input tokens read and not from a cache
 * @param output tokens written, reasoning included
 * @param cacheRead tokens read from a cache
 * @param cacheWrite tokens written to a cache
 */
public record Prices(BigDecimal input, BigDecimal output, BigDecimal cacheRead, BigDecimal cacheWrite) {

    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    /** Refuses a price below zero. */
    public Prices {
        if (Stream.of(input, output, cacheRead, cacheWrite).anyMatch(price -> price.signum() < 0)) {
            throw new IllegalArgumentException("a price must not be negative, found " + input + " for input, "
                    + output + " for output, " + cacheRead + " and " + cacheWrite
                    + " for reading and writing a cache");
        }
    }

    /** Prices without a discount for caches. */
    public static Prices of(String input, String output) {
        BigDecimal perInput = price(input);
        return new Prices(perInput, price(output), perInput, perInput);
    }

    private static BigDecimal price(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "a price is a number for a million tokens, such as \"2.50\", not \"" + text + "\"", e);
        }
    }

    /** What a usage costs; what was not reported costs nothing. */
    public BigDecimal cost(Usage usage) {
        long cached = usage.cacheRead().orElse(0);
        long written = usage.cacheWrite().orElse(0);
        long plain = Math.max(0, usage.input().orElse(0) - cached - written);
        BigDecimal sum = times(input, plain).add(times(cacheRead, cached))
                .add(times(cacheWrite, written))
                .add(times(output, usage.output().orElse(0)));
        return sum.divide(MILLION);
    }

    private static BigDecimal times(BigDecimal price, long tokens) {
        return price.multiply(BigDecimal.valueOf(tokens));
    }
}
