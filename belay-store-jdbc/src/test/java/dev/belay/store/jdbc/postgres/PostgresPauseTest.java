package dev.belay.store.jdbc.postgres;

import dev.belay.laws.operate.PauseContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.RecordsOpening;

/** What is promised about pauses, kept in PostgreSQL. */
class PostgresPauseTest extends PauseContract {

    @Override
    protected RecordsOpening sessions() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe));
    }
}
