package dev.belay.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How an answer is generated. A setting that is absent is not sent, and the provider decides. Start from {@link
 * #PROVIDER_DECIDES} and set what matters.
 *
 * @param temperature 0 to 2
 * @param topP over 0, at most 1
 * @param maxOutputTokens at least 1
 * @param seed for providers that can repeat themselves
 * @param stop texts that end the answer, none empty; no texts at all means the provider decides
 * @param effort how much to think before answering
 */
public record Generation(OptionalDouble temperature, OptionalDouble topP, OptionalInt maxOutputTokens,
        OptionalLong seed,
        List<String> stop, Optional<Effort> effort) {

    /** Nothing set: the default of every request. */
    public static final Generation PROVIDER_DECIDES = new Generation(OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalInt.empty(), OptionalLong.empty(), List.of(), Optional.empty());

    /** How much a reasoning model should think; a model takes the nearest level that it has. */
    public enum Effort {
        /** Not at all. */
        NONE,
        /** As little as possible. */
        MINIMAL,
        /** A little. */
        LOW,
        /** A fair amount. */
        MEDIUM,
        /** A lot. */
        HIGH
    }

    /** Refuses values outside their range. */
    public Generation {
        temperature.ifPresent(value -> check(value >= 0 && value <= 2, "temperature", "from 0 to 2", value));
        topP.ifPresent(value -> check(value > 0 && value <= 1, "topP", "over 0 and at most 1", value));
        maxOutputTokens.ifPresent(value -> check(value >= 1, "maxOutputTokens", "at least 1", value));
        Objects.requireNonNull(seed, "seed");
        stop = List.copyOf(stop);
        stop.forEach(value -> check(!value.isEmpty(), "stop", "texts that are not empty", "\"\""));
        Objects.requireNonNull(effort, "effort");
    }

    /** The same with another temperature. */
    public Generation withTemperature(double value) {
        return new Generation(OptionalDouble.of(value), topP, maxOutputTokens, seed, stop, effort);
    }

    /** The same with another nucleus. */
    public Generation withTopP(double value) {
        return new Generation(temperature, OptionalDouble.of(value), maxOutputTokens, seed, stop, effort);
    }

    /** The same with another bound of the answer. */
    public Generation withMaxOutputTokens(int value) {
        return new Generation(temperature, topP, OptionalInt.of(value), seed, stop, effort);
    }

    /** The same with another seed. */
    public Generation withSeed(long value) {
        return new Generation(temperature, topP, maxOutputTokens, OptionalLong.of(value), stop, effort);
    }

    /** The same with other texts that end the answer. */
    public Generation withStop(String... texts) {
        return new Generation(temperature, topP, maxOutputTokens, seed, List.of(texts), effort);
    }

    /** The same with another effort. */
    public Generation withEffort(Effort value) {
        return new Generation(temperature, topP, maxOutputTokens, seed, stop, Optional.of(value));
    }

    /**
     * Merges two settings field by field: a value set here wins over the other's. The list of stop texts is one field; the two
     * lists are not joined.
     */
    public Generation over(Generation below) {
        if (equals(PROVIDER_DECIDES)) {
            return below;
        }
        return new Generation(temperature.isPresent() ? temperature : below.temperature,
                topP.isPresent() ? topP : below.topP,
                maxOutputTokens.isPresent() ? maxOutputTokens : below.maxOutputTokens,
                seed.isPresent() ? seed : below.seed, stop.isEmpty() ? below.stop : stop,
                effort.isPresent() ? effort : below.effort);
    }

    private static void check(boolean holds, String what, String allowed, Object found) {
        if (!holds) {
            throw new IllegalArgumentException(what + " must be " + allowed + ", not " + found);
        }
    }
}
