package dev.belay.runtime.store.memory;

import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;

/** Opens stores in memory, for tests and for runtimes that need no more. */
public final class InMemoryStore {

    private InMemoryStore() {}

    /** Opens a store on memory of its own. The records of a turn go with its commit; its ledger and its rounds stay. */
    public static Store open() {
        return new SharedMemory().open(JournalProbe.NONE, true);
    }
}
