package dev.belay.laws.journal;

import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalProbe;

/** Opens journals that share their records, as processes share a file. */
@FunctionalInterface
public interface JournalOpening {

    /**
     * Opens one more journal on the same records, with an owner of its own. Others may be open, closed, or dead because their
     * probe has thrown.
     *
     * @param probe called for every write of this journal
     */
    Journal open(JournalProbe probe) throws Exception;
}
