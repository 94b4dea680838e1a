package dev.belay.testkit.journal;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What a {@link dev.belay.runtime.store.journal.Journal} promises when threads race, a caller is interrupted or the process dies at a
 * write, and random operations of two journals held against {@link JournalModel}. The rows of a store decide whether these hold, so
 * every store is asked in every build. The fixture is that of {@link JournalContract}.
 *
 * <p>Keeps the contract's lines J.3 and L.6, and of S: <i>resolve and park at the same moment lose the wake-up</i>.
 */
public abstract class JournalRacesContract extends JournalFixture
        implements
            CrashPromises,
            InterruptPromises,
            RacePromises {

    /** The operations that one seed of the comparison with {@link JournalModel} draws. */
    private static final int STEPS = 200;

    /** For subclasses. */
    protected JournalRacesContract() {}

    /** Two journals on the same records, each operation drawn at random, agree with the model after every step. */
    @TestFactory
    final Stream<DynamicTest> journalsDoWhatTheModelDoes() {
        return LongStream.rangeClosed(1, Math.max(5, rounds() / 4))
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new JournalPlayer(bench(), seed).play(STEPS)));
    }
}
