package dev.belay.tests.effect;

import dev.belay.laws.journal.JournalOpening;
import dev.belay.laws.journal.JournalRacesContract;
import dev.belay.runtime.store.memory.GuardedMemory;

/** Races, crashes and interrupts of the journal in memory. */
class InMemoryJournalRacesTest extends JournalRacesContract {

    @Override
    protected JournalOpening records() {
        return new GuardedMemory()::journal;
    }
}
