package dev.belay.laws.journal;

import dev.belay.testkit.crash.RecordsOpening;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Opens and closes the records of {@link JournalContract} and {@link JournalRacesContract}. */
@Timeout(300)
abstract class JournalFixture implements JournalPromises {

    private @Nullable JournalBench bench;

    /** Fresh, empty records. */
    protected abstract RecordsOpening records() throws Exception;

    /** How often threads are run against each other in one test; 100 unless overridden. */
    protected int rounds() {
        return 100;
    }

    @BeforeEach
    final void setUpBench() {
        bench = new JournalBench(this::records, rounds());
    }

    @AfterEach
    final void clearBench() {
        bench().close();
    }

    @Override
    public final JournalBench bench() {
        JournalBench open = bench;
        if (open == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return open;
    }
}
