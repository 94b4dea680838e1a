package dev.belay.testkit.store;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link dev.belay.runtime.store.SessionStore} and its {@link dev.belay.runtime.store.ProcessStore}, as tests.
 * To check an implementation, extend this class and supply a place for sessions:
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
 * <li>{@link #sessions} returns an empty place, a new one each time; some tests call it often.
 * <li>The contract calls the opening for each store on that place, also while others are open on it.
 * <li>The store calls its probe for each write that is applied: before, inside and after, with the names of
 * {@link dev.belay.runtime.store.journal.JournalProbe}. An exception from the probe is a
 * crash, as in {@link dev.belay.testkit.journal.JournalContract}, which the store's journal must pass as well.
 * <li>The contract closes every store that it opened, reads no clock and never waits for time to pass.
 * </ul>
 *
 * <p>Keeps the contract's lines G.2 (cancel against commit), L.6, L.9 (deleting revokes keys), M.3, P.1, P.3, Q, T.4, V.1, V.4, V.6 and V.8.
 */
@Timeout(300)
public abstract class SessionStoreContract
        implements
            AcceptPromises,
            CommitPromises,
            RefusalPromises,
            OperatorPromises,
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
