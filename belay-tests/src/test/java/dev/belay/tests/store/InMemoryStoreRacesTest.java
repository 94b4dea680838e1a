package dev.belay.tests.store;

import dev.belay.laws.store.SessionStoreRacesContract;
import dev.belay.laws.store.StoreOpening;
import dev.belay.runtime.store.memory.GuardedMemory;

/** Races and crashes of the store in memory. */
class InMemoryStoreRacesTest extends SessionStoreRacesContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
