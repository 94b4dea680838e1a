package dev.belay.tests.store;

import dev.belay.laws.store.SessionStoreRacesContract;
import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.testkit.crash.RecordsOpening;

/** Races and crashes of the store in memory. */
class InMemoryStoreRacesTest extends SessionStoreRacesContract {

    @Override
    protected RecordsOpening sessions() {
        return new GuardedMemory()::open;
    }
}
