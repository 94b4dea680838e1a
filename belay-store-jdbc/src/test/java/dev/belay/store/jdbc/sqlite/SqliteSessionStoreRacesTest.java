package dev.belay.store.jdbc.sqlite;

import dev.belay.laws.store.SessionStoreRacesContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.crash.RecordsOpening;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Races and crashes of a store of sessions in a file, with shared commits. */
class SqliteSessionStoreRacesTest extends SessionStoreRacesContract {

    @TempDir
    Path directory;

    private int files;

    @Override
    protected RecordsOpening sessions() {
        files++;
        Path file = directory.resolve("belay-" + files + ".db");
        return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
    }

    @Override
    protected int rounds() {
        return 12; // each write is on the disk
    }
}
