package dev.belay.laws.store;

/** A part of {@link SessionStoreContract}. */
interface StorePromises {

    /** The fixture of the test. */
    StoreBench bench();
}
