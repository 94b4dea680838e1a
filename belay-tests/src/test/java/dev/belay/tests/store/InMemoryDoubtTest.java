package dev.belay.tests.store;

import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.laws.operate.DoubtContract;
import dev.belay.laws.store.StoreOpening;

/** What is promised about doubts, in memory. */
class InMemoryDoubtTest extends DoubtContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
