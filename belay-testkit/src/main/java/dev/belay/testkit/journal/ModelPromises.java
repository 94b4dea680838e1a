package dev.belay.testkit.journal;

import dev.belay.testkit.oracle.ModelPlayer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whatever is done in whatever order, two journals on one set of records do what the simplest journal would do. */
interface ModelPromises extends JournalPromises {

    /** How long each game is. */
    int STEPS = 200;

    @TestFactory
    default Stream<DynamicTest> journalsDoWhatTheModelDoes() {
        return LongStream.rangeClosed(1, Math.max(5, bench().rounds() / 4))
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new ModelPlayer(bench(), seed).play(STEPS)));
    }
}
