package dev.belay.tests.effect;

import dev.belay.laws.journal.JournalRacesContract;
import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.testkit.crash.RecordsOpening;

/** Races, crashes and interrupts of the journal in memory. */
class InMemoryJournalRacesTest extends JournalRacesContract {

    @Override
    protected RecordsOpening records() {
        return new GuardedMemory()::open;
    }
}
