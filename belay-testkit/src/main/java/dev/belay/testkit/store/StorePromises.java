package dev.belay.testkit.store;

/** A part of {@link SessionStoreContract}. */
interface StorePromises {

    /** What the test works with. */
    StoreBench bench();
}
