package dev.belay.testkit.crash;

import dev.belay.runtime.store.journal.JournalProbe.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The plan of a run.
 *
 * @param batches how many batches run at once
 * @param parkAfter how long scopes that wait hold their threads
 * @param shaken whether concurrent writes meet in an order drawn from the seed, or come one at a time
 * @param seed of everything that is drawn
 * @param deaths when the first process dies, the second, and so on; those after them live
 * @param answersEarly whether the world answers what a dead process asked for before the next one serves, or once that waits
 */
record Fate(int batches, Duration parkAfter, boolean shaken, long seed, List<Predicate<CrashPoint>> deaths,
        boolean answersEarly) {

    static final int MOST_BATCHES = 4;
    private static final int MOST_DEATHS = 3;

    /** A run without a crash. */
    static Fate peaceful(int batches) {
        return new Fate(batches, Duration.ZERO, false, 0, List.of(), false);
    }

    /** The first process dies at a point. Records are the same before and inside a write, so that the world does another thing inside. */
    static Fate at(CrashPoint point) {
        return new Fate(1, Duration.ZERO, false, 0, List.of(point::equals),
                point.moment() == Moment.INSIDE);
    }

    /**
     * Draws a plan from a seed.
     *
     * @param moments about how many moments there are in a run of one batch
     */
    static Fate drawn(long seed, int moments) {
        var random = new SplittableRandom(seed);
        int batches = 1 + random.nextInt(MOST_BATCHES);
        Duration parkAfter = random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(1);
        List<Predicate<CrashPoint>> deaths = new ArrayList<>();
        int left = moments * batches;
        for (int i = 1 + random.nextInt(MOST_DEATHS); i > 0 && left > 0; i--) {
            var countdown = new AtomicInteger(random.nextInt(left));
            left -= countdown.get();
            deaths.add(point -> countdown.getAndDecrement() == 0);
        }
        return new Fate(batches, parkAfter, true, seed, deaths, random.nextBoolean());
    }

    Predicate<CrashPoint> death(int process) {
        return process < deaths.size() ? deaths.get(process) : point -> false;
    }
}
