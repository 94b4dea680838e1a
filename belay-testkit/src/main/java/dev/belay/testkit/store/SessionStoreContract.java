package dev.belay.testkit.store;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link dev.belay.runtime.store.SessionStore} must do, its {@link dev.belay.runtime.store.ProcessStore} included. To hold an implementation to it, extend this class in a test
 * and say how sessions are kept:
 *
 * <pre>{@code
 * class MyStoreTest extends SessionStoreContract {
 *     @Override
 *     protected StoreOpening sessions() {
 *         Path file = newFile();
 *         return probe -> MyStore.open(file, probe);
 *     }
 * }
 * }</pre>
 *
 * <ul>
 * <li>{@link #sessions} gives an empty place, another one each time; some tests ask for many of them.
 * <li>The opening is called whenever a store is wanted on it, also while others are open there.
 * <li>The probe given to it hears of each write that is applied: before, inside and after, by the names of
 * {@link dev.belay.runtime.store.SessionWrites} and {@link dev.belay.runtime.store.ProcessWrites}. What it throws is a crash, as in
 * {@link dev.belay.testkit.journal.JournalContract}, which the store's journal has to keep as well.
 * <li>The contract closes every store that it opened, reads no clock and never waits for time to pass.
 * </ul>
 *
 * <p>Keeps the contract's lines G.2 (cancel against commit), L.6, L.9 (deleting revokes keys), M.3, P.1, P.3, Q and T.4.
 */
@Timeout(300)
public abstract class SessionStoreContract
        implements
            AcceptPromises,
            CommitPromises,
            RefusalPromises,
            WithdrawPromises,
            DeletePromises,
            PastPromises,
            KeepPromises,
            ReadingPromises,
            SizePromises,
            StoreCrashPromises,
            StoreRacePromises,
            SessionModelPromises,
            ProcessStartPromises,
            ProcessEventPromises,
            ProcessSignalPromises,
            ProcessEndPromises {

    private @Nullable StoreBench bench;

    /** For subclasses. */
    protected SessionStoreContract() {}

    /** A fresh, empty place for sessions. */
    protected abstract StoreOpening sessions() throws Exception;

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
