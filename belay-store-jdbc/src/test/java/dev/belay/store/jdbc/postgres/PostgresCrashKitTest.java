package dev.belay.store.jdbc.postgres;

import dev.belay.store.jdbc.CrashKitContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.CrashRecords;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Calls on PostgreSQL survive a crash at every record. */
@Tag("deep")
final class PostgresCrashKitTest extends CrashKitContract {

    private final Map<Path, TestPostgres.Place> places = new HashMap<>();

    @Override
    protected CrashRecords records() {
        return (folder, probe) -> {
            var place = places.computeIfAbsent(folder, unused -> TestPostgres.icuPlace());
            return JdbcStore.postgres(place.source(), place.options().withProbe(probe));
        };
    }

    @Override
    protected int interleavings(int wanted) {
        return wanted / 10;
    }
}
