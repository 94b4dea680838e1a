package dev.belay.store.jdbc;

import dev.belay.testkit.crash.CrashRecords;
import org.junit.jupiter.api.Tag;

/** Calls on a SQLite file survive a crash at every record, with shared commits. */
@Tag("deep")
final class SqliteCrashKitTest extends CrashKitContract {

    @Override
    protected CrashRecords records() {
        return (folder, probe) -> JdbcStore.sqlite(folder.resolve("belay.db"),
                SqliteOptions.STANDARD.withProbe(probe));
    }
}
