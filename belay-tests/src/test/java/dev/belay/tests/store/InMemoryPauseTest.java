package dev.belay.tests.store;

import dev.belay.laws.operate.PauseContract;
import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.testkit.crash.RecordsOpening;

/** What is promised about pauses, in memory. */
class InMemoryPauseTest extends PauseContract {

    @Override
    protected RecordsOpening sessions() {
        return new GuardedMemory()::open;
    }
}
