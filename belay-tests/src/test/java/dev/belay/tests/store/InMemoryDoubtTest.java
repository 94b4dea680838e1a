package dev.belay.tests.store;

import dev.belay.laws.operate.DoubtContract;
import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.testkit.crash.RecordsOpening;

/** What is promised about doubts, in memory. */
class InMemoryDoubtTest extends DoubtContract {

    @Override
    protected RecordsOpening sessions() {
        return new GuardedMemory()::open;
    }
}
