package dev.belay.laws.store;

import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.journal.JournalProbe;

/** Opens stores that share their sessions, as processes share a file. */
@FunctionalInterface
public interface StoreOpening {

    /**
     * Opens one more store on the same sessions, with a journal and an owner of its own. Others may be open, closed, or dead
     * because their probe has thrown.
     *
     * @param probe called for every write of this store and its journal
     */
    SessionStore open(JournalProbe probe) throws Exception;
}
