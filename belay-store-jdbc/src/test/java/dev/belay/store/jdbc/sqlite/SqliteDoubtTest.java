package dev.belay.store.jdbc.sqlite;

import dev.belay.laws.operate.DoubtContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.crash.RecordsOpening;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** What is promised about doubts, kept in a file. */
class SqliteDoubtTest extends DoubtContract {

    @TempDir
    Path directory;

    private int files;

    @Override
    protected RecordsOpening sessions() {
        files++;
        Path file = directory.resolve("belay-" + files + ".db");
        return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
    }
}
