package dev.belay.model.http;

import dev.belay.model.http.exchange.ThreadRandom;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Time and randomness of an exchange, replaceable in tests.
 *
 * @param clock tells how long it is until a date that a provider names, such as that in a {@code Retry-After}
 * @param nanos counts the total time of a call, as {@link System#nanoTime} does
 * @param random spreads retries; must be safe for use by several threads
 * @param sleeper waits between attempts
 */
public record Surroundings(InstantSource clock, LongSupplier nanos, RandomGenerator random, Sleeper sleeper) {

    /** Refuses null only. */
    public Surroundings {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(nanos, "nanos");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(sleeper, "sleeper");
    }

    /** The machine's own clock, randomness and sleep. */
    public static Surroundings system() {
        return new Surroundings(InstantSource.system(), System::nanoTime, new ThreadRandom(), Thread::sleep);
    }

    /** The same with another sleeper. */
    public Surroundings withSleeper(Sleeper other) {
        return new Surroundings(clock, nanos, random, other);
    }

    /** The same with another clock. */
    public Surroundings withClock(InstantSource other) {
        return new Surroundings(other, nanos, random, sleeper);
    }

    /** The same with other randomness. */
    public Surroundings withRandom(RandomGenerator other) {
        return new Surroundings(clock, nanos, other, sleeper);
    }
}
