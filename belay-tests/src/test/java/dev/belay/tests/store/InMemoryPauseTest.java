package dev.belay.tests.store;

import dev.belay.laws.operate.PauseContract;
import dev.belay.laws.store.StoreOpening;
import dev.belay.runtime.store.memory.GuardedMemory;

/** What is promised about pauses, in memory. */
class InMemoryPauseTest extends PauseContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
