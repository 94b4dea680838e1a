package dev.belay.testkit.journal;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link dev.belay.runtime.store.journal.Journal}, as tests. To check an implementation, extend this class
 * and supply its records:
 *
 * <pre>{@code
 * class MyJournalTest extends JournalContract {
 *     @Override
 *     protected JournalOpening records() {
 *         Path file = newFile();
 *         return probe -> MyJournal.open(file, probe);
 *     }
 * }
 * }</pre>
 *
 * <ul>
 * <li>{@link #records} returns empty records, new ones each time; some tests call it often. The subclass creates and removes
 * the directory or schema that they need, for instance with {@code @TempDir}.
 * <li>The contract calls the opening for each journal on those records, also while others are open on them: a journal that can
 * only be opened once per process does not pass.
 * <li>The journal calls its probe for each write that is applied: before, inside and after, in this order, with the names of
 * {@link dev.belay.runtime.store.journal.JournalProbe}. An exception from the probe is a crash: the journal writes nothing more, each
 * further call throws the same exception, and the owner is dead to all other journals at once.
 * <li>The contract closes every journal that it opened. It reads no clock and never waits for time to pass; tests that run
 * threads against each other do so {@link #rounds} times.
 * </ul>
 *
 * <p>Keeps the contract's lines G.1 (late results), G.2, J.2 (secrets), J.3, L.1, L.6 to L.9, M.3, T.4, and of S: <i>resolve and park
 * at the same moment lose the wake-up</i>, <i>deadline restarts with the process</i>.
 */
@Timeout(300)
public abstract class JournalContract
        implements
            ScopePromises,
            StuckPromises,
            RecordPromises,
            FencePromises,
            ResourcePromises,
            WaitPromises,
            ParkPromises,
            DuePromises,
            CancelPromises,
            ServingPromises,
            SecretPromises,
            OutputPromises,
            AttachmentPromises,
            CrashPromises,
            InterruptPromises,
            RacePromises {

    /** The operations that one seed of the comparison with {@link JournalModel} draws. */
    private static final int STEPS = 200;

    private @Nullable JournalBench bench;

    /** For subclasses. */
    protected JournalContract() {}

    /** Fresh, empty records. */
    protected abstract JournalOpening records() throws Exception;

    /** How often threads are run against each other in one test; 100 unless overridden. */
    protected int rounds() {
        return 100;
    }

    /** Two journals on the same records, each operation drawn at random, agree with the model after every step. */
    @TestFactory
    final Stream<DynamicTest> journalsDoWhatTheModelDoes() {
        return LongStream.rangeClosed(1, Math.max(5, rounds() / 4))
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed,
                        () -> new JournalPlayer(bench(), seed).play(STEPS)));
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
