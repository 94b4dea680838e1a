package dev.belay.model;

import java.util.OptionalLong;

/**
 * Tokens spent. What a provider does not report is absent, which is not zero.
 *
 * @param input everything the model read, cached tokens included
 * @param output everything it wrote, reasoning included
 * @param cacheRead the part of the input that came from the provider's cache
 * @param cacheWrite the part of the input that was put into the provider's cache
 * @param reasoning the part of the output that was reasoning
 */
public record Usage(OptionalLong input, OptionalLong output, OptionalLong cacheRead, OptionalLong cacheWrite,
        OptionalLong reasoning) {

    /** Nothing reported. */
    public static final Usage NONE = new Usage(OptionalLong.empty(), OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(), OptionalLong.empty());

    /** Refuses negative counts. */
    public Usage {
        check(input, "input");
        check(output, "output");
        check(cacheRead, "cacheRead");
        check(cacheWrite, "cacheWrite");
        check(reasoning, "reasoning");
    }

    /** Reports input and output alone. */
    public static Usage of(long input, long output) {
        return NONE.withInput(input).withOutput(output);
    }

    /** The same with another input. */
    public Usage withInput(long tokens) {
        return new Usage(OptionalLong.of(tokens), output, cacheRead, cacheWrite, reasoning);
    }

    /** The same with another output. */
    public Usage withOutput(long tokens) {
        return new Usage(input, OptionalLong.of(tokens), cacheRead, cacheWrite, reasoning);
    }

    /** The same with another count of tokens read from the cache. */
    public Usage withCacheRead(long tokens) {
        return new Usage(input, output, OptionalLong.of(tokens), cacheWrite, reasoning);
    }

    /** The same with another count of tokens written to the cache. */
    public Usage withCacheWrite(long tokens) {
        return new Usage(input, output, cacheRead, OptionalLong.of(tokens), reasoning);
    }

    /** The same with another count of reasoning tokens. */
    public Usage withReasoning(long tokens) {
        return new Usage(input, output, cacheRead, cacheWrite, OptionalLong.of(tokens));
    }

    /** The sum over two calls, field by field; a field that only one reports is that one's, and no sum overflows. */
    public Usage plus(Usage other) {
        if (equals(NONE) || other.equals(NONE)) {
            return equals(NONE) ? other : this;
        }
        return new Usage(sum(input, other.input), sum(output, other.output), sum(cacheRead, other.cacheRead),
                sum(cacheWrite, other.cacheWrite), sum(reasoning, other.reasoning));
    }

    /** A later report on the same call: field by field, what the later one reports wins and the rest stays. */
    public Usage merge(Usage later) {
        return new Usage(latest(input, later.input), latest(output, later.output),
                latest(cacheRead, later.cacheRead),
                latest(cacheWrite, later.cacheWrite), latest(reasoning, later.reasoning));
    }

    /** Input plus output; absent if neither is reported. */
    public OptionalLong total() {
        return sum(input, output);
    }

    private static void check(OptionalLong tokens, String what) {
        if (tokens.isPresent() && tokens.getAsLong() < 0) {
            throw new IllegalArgumentException(
                    what + " tokens must be absent or at least 0, not " + tokens.getAsLong());
        }
    }

    private static OptionalLong sum(OptionalLong a, OptionalLong b) {
        if (a.isEmpty() || b.isEmpty()) {
            return latest(a, b);
        }
        long sum = a.getAsLong() + b.getAsLong();
        return OptionalLong.of(sum < 0 ? Long.MAX_VALUE : sum);
    }

    private static OptionalLong latest(OptionalLong earlier, OptionalLong later) {
        return later.isPresent() ? later : earlier;
    }
}
