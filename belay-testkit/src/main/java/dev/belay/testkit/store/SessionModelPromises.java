package dev.belay.testkit.store;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Two stores on the same sessions agree with {@link SessionModel} after each of many random calls. */
interface SessionModelPromises extends StorePromises {

    /** The calls that one seed draws. */
    int STEPS = 250;

    @TestFactory
    default Stream<DynamicTest> storesDoWhatTheModelDoes() {
        return LongStream.rangeClosed(1, Math.max(5, bench().rounds() / 2))
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new SessionPlayer(bench(), seed).play(STEPS)));
    }
}
