package dev.belay.testkit.crash;

import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;

/** Opens stores that share their records, as processes share a file. */
@FunctionalInterface
public interface RecordsOpening {

    /**
     * Opens one more store on the same records, with an owner of its own. Others may be open, closed, or dead because their probe has
     * thrown.
     *
     * @param probe called for every write of this store
     */
    Store open(JournalProbe probe) throws Exception;
}
