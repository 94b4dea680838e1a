package dev.belay.testkit.store;

/** A part of {@link SessionStoreContract}. */
interface StorePromises {

    /** The fixture of the test. */
    StoreBench bench();
}
