package dev.belay.store.jdbc.rows;

import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.rows.RowsContract;
import dev.belay.testkit.rows.RowsOpening;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Everything that rows promise, kept in a file. */
class SqliteRowsTest extends RowsContract {

    @TempDir
    Path directory;

    @Override
    protected RowsOpening rows() {
        Path file = directory.resolve("belay.db");
        return () -> SqliteRows.open(file, SqliteOptions.STANDARD);
    }
}
