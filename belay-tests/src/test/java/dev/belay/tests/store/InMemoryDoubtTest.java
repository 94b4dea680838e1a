package dev.belay.tests.store;

import dev.belay.laws.operate.DoubtContract;
import dev.belay.laws.store.StoreOpening;
import dev.belay.runtime.store.memory.GuardedMemory;

/** What is promised about doubts, in memory. */
class InMemoryDoubtTest extends DoubtContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
