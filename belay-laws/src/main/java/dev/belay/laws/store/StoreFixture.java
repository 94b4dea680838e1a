package dev.belay.laws.store;

import dev.belay.testkit.crash.RecordsOpening;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Opens and closes the place of {@link SessionStoreContract} and {@link SessionStoreRacesContract}. */
@Timeout(300)
abstract class StoreFixture implements StorePromises {

    private @Nullable StoreBench bench;

    /** A fresh, empty place for sessions. */
    protected abstract RecordsOpening sessions() throws Exception;

    /** How often threads are run against each other in one test; 40 unless overridden. */
    protected int rounds() {
        return 40;
    }

    @BeforeEach
    final void setUpBench() {
        bench = new StoreBench(this::sessions, rounds());
    }

    @AfterEach
    final void clearBench() {
        bench().close();
    }

    @Override
    public final StoreBench bench() {
        StoreBench open = bench;
        if (open == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return open;
    }
}
