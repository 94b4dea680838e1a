package dev.belay.testkit.store;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whatever is done in whatever order, two stores on the same sessions do what the simplest store would do. */
interface SessionModelPromises extends StorePromises {

    /** How long each game is. */
    int STEPS = 250;

    @TestFactory
    default Stream<DynamicTest> storesDoWhatTheModelDoes() {
        return LongStream.rangeClosed(1, Math.max(5, bench().rounds() / 2))
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new SessionPlayer(bench(), seed).play(STEPS)));
    }
}
