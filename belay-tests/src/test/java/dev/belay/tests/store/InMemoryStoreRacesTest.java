package dev.belay.tests.store;

import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.laws.store.SessionStoreRacesContract;
import dev.belay.laws.store.StoreOpening;

/** Races and crashes of the store in memory. */
class InMemoryStoreRacesTest extends SessionStoreRacesContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
