package dev.belay.tests.store;

import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.laws.operate.PauseContract;
import dev.belay.laws.store.StoreOpening;

/** What is promised about pauses, in memory. */
class InMemoryPauseTest extends PauseContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
