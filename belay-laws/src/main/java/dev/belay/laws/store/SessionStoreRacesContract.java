package dev.belay.laws.store;

/**
 * What a {@link dev.belay.runtime.store.Store} promises about sessions when threads race or the process dies at a write, and random
 * operations of several stores held against {@link SessionModel}. The rows of a store decide whether these hold, so every store is
 * asked in every build. The fixture is that of {@link SessionStoreContract}.
 *
 * <p>Keeps the contract's lines G.2 (cancel against commit), L.6, P.1 and P.3.
 */
public abstract class SessionStoreRacesContract extends StoreFixture
        implements
            StoreCrashPromises,
            StoreRacePromises,
            SessionModelPromises {

    /** For subclasses. */
    protected SessionStoreRacesContract() {}
}
