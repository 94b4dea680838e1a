package dev.belay.laws.journal;

/**
 * The contract of every {@link dev.belay.runtime.store.Store} about scopes and records, as tests, but for what threads, crashes and interrupts
 * may do to it: that is {@link JournalRacesContract}. To check an implementation, extend both and supply its records:
 *
 * <pre>{@code
 * class MyJournalTest extends JournalContract {
 *     @Override
 *     protected RecordsOpening records() {
 *         Path file = newFile();
 *         return probe -> MyStore.open(file, probe);
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
 * <p>Keeps the contract's lines G.1 (late results), G.2, J.2 (secrets), J.3, L.1, L.6 to L.9, M.3 and
 * T.4. No deadline begins anew with a process.
 */
public abstract class JournalContract extends JournalFixture
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
            AttachmentPromises {

    /** For subclasses. */
    protected JournalContract() {}
}
