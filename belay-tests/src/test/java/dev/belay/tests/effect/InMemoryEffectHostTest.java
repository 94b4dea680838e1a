package dev.belay.tests.effect;

import dev.belay.laws.effect.EffectHostContract;
import dev.belay.laws.effect.HostRecords;
import dev.belay.laws.effect.JournalRecords;
import dev.belay.runtime.store.memory.GuardedMemory;

/** Checks the host on records in memory against {@link EffectHostContract}. */
final class InMemoryEffectHostTest extends EffectHostContract {

    @Override
    protected HostRecords records() {
        var records = new GuardedMemory();
        return new JournalRecords(records::open);
    }
}
