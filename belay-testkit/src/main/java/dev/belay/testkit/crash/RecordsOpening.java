package dev.belay.testkit.crash;

import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalProbe;

/** Opens journals on the same records. */
@FunctionalInterface
public interface RecordsOpening {

    /** Opens one more journal. */
    Journal open(JournalProbe probe) throws Exception;
}
