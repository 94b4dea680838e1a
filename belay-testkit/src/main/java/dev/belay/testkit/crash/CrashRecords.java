package dev.belay.testkit.crash;

import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import java.nio.file.Path;

/** Opens a store for {@link CrashKit}. */
@FunctionalInterface
public interface CrashRecords {

    /**
     * Opens a store. The same folder means the same records, as after a restart; a new one is empty.
     *
     * @param folder where to keep them; deleted by the kit
     * @param probe must be told of every write, at its three moments
     * @return closed by the kit
     */
    Store open(Path folder, JournalProbe probe) throws Exception;
}
