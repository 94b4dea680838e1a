package dev.belay.store.jdbc;

import dev.belay.laws.journal.JournalContract;
import dev.belay.testkit.crash.RecordsOpening;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Everything a journal promises, kept in a file, with a commit for each write. */
@Tag("deep")
class SqliteOnePerCommitTest extends JournalContract {

    @TempDir
    Path directory;

    private int files;

    @Override
    protected RecordsOpening records() {
        files++;
        Path file = directory.resolve("belay-" + files + ".db");
        return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.onePerCommit().withProbe(probe));
    }

    @Override
    protected int rounds() {
        return 5; // each one makes a file
    }
}
