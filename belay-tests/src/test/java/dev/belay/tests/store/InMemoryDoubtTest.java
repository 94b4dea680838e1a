package dev.belay.tests.store;

import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.testkit.operate.DoubtContract;
import dev.belay.testkit.store.StoreOpening;

/** What is promised about doubts, in memory. */
class InMemoryDoubtTest extends DoubtContract {

    @Override
    protected StoreOpening sessions() {
        return new GuardedMemory()::open;
    }
}
