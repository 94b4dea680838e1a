package dev.belay.laws.journal;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What a {@link dev.belay.runtime.store.Store} promises about scopes and records when threads race, a caller is interrupted or the process dies at a
 * write, and random operations of two journals held against {@link JournalModel}. The rows of a store decide whether these hold, so
 * every store is asked in every build. The fixture is that of {@link JournalContract}.
 *
 * <p>Keeps the contract's lines J.3 and L.6. A key that is resolved while its scope parks wakes it.
 */
public abstract class JournalRacesContract extends JournalFixture
        implements
            CrashPromises,
            InterruptPromises,
            RacePromises {

    /** The operations that one seed of the comparison with {@link JournalModel} draws. */
    private static final int STEPS = 200;
    /** Seeds that a usual build leaves out. */
    private static final int MORE = 10;

    /** For subclasses. */
    protected JournalRacesContract() {}

    /** Two journals on the same records, each operation drawn at random, agree with the model after every step. */
    @TestFactory
    final Stream<DynamicTest> journalsDoWhatTheModelDoes() {
        return played(1, seeds());
    }

    /** The same with seeds that the usual build leaves out. */
    @TestFactory
    @Tag("deep")
    final Stream<DynamicTest> journalsDoWhatTheModelDoesWithMoreSeeds() {
        return played(seeds() + 1L, seeds() + MORE);
    }

    private int seeds() {
        return Math.max(2, rounds() / 4);
    }

    private Stream<DynamicTest> played(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new JournalPlayer(bench(), seed).play(STEPS)));
    }
}
