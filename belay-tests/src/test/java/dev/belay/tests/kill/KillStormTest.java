package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Two processes on one SQLite file. The profile {@code long} kills 300 times. */
@Tag("deep")
class KillStormTest extends StormContract {

    @TempDir
    Path directory;

    KillStormTest() {
        super(300, 150);
    }

    @Override
    String store() {
        return directory.resolve("belay.db").toString();
    }

    @Override
    Store open() {
        return JdbcStore.sqlite(directory.resolve("belay.db"));
    }

    @Override
    int workers(int kill) {
        return 2;
    }

    @Override
    void checkStore() throws Exception {
        try (var file = DriverManager.getConnection("jdbc:sqlite:" + store());
                var statement = file.createStatement();
                var checked = statement.executeQuery("pragma integrity_check")) {
            assertThat(checked.next()).isTrue();
            assertThat(checked.getString(1)).isEqualTo("ok");
        }
    }
}
