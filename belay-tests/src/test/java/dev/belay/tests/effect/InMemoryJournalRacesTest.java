package dev.belay.tests.effect;

import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.testkit.journal.JournalOpening;
import dev.belay.testkit.journal.JournalRacesContract;

/** Races, crashes and interrupts of the journal in memory. */
class InMemoryJournalRacesTest extends JournalRacesContract {

    @Override
    protected JournalOpening records() {
        return new GuardedMemory()::journal;
    }
}
