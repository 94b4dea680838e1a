package dev.belay.store.jdbc;

import dev.belay.laws.effect.EffectHostContract;
import dev.belay.laws.effect.HostRecords;
import dev.belay.laws.effect.JournalRecords;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Keeps everything that {@link EffectHostContract} lists, on records in a SQLite file. */
@Tag("deep")
final class SqliteEffectHostTest extends EffectHostContract {

    @TempDir
    Path folder;

    @Override
    protected HostRecords records() {
        Path file = folder.resolve("belay.db");
        return new JournalRecords(
                probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe)));
    }
}
