package dev.belay.laws.store;

/**
 * The contract of every {@link dev.belay.runtime.store.Store} about sessions and processes, as tests,
 * but for what threads and crashes may do to it: that is {@link SessionStoreRacesContract}. To check an implementation, extend both and
 * supply a place for sessions:
 *
 * <pre>{@code
 * class MyStoreTest extends SessionStoreContract {
 *     @Override
 *     protected RecordsOpening sessions() {
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
 * crash, as in {@link dev.belay.laws.journal.JournalContract}, which the store's journal must pass as well.
 * <li>The contract closes every store that it opened, reads no clock and never waits for time to pass.
 * </ul>
 *
 * <p>Keeps the contract's lines G.2 (cancel against commit), L.6, L.9 (deleting revokes keys), M.3, P.1, P.3, Q, T.4, V.1, V.4, V.6 and V.8.
 */
public abstract class SessionStoreContract extends StoreFixture
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
            ProcessStartPromises,
            ProcessEventPromises,
            ProcessSignalPromises,
            ProcessEndPromises {

    /** For subclasses. */
    protected SessionStoreContract() {}
}
