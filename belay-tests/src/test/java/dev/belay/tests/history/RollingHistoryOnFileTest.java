package dev.belay.tests.history;

import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** The same on files. */
class RollingHistoryOnFileTest extends RollingHistoryTest {

    private final AtomicInteger files = new AtomicInteger();

    @TempDir
    Path folder;

    @Override
    Store store() {
        return JdbcStore.sqlite(folder.resolve(files.incrementAndGet() + ".db"));
    }
}
