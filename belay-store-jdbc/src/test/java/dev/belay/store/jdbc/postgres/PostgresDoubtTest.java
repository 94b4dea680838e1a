package dev.belay.store.jdbc.postgres;

import dev.belay.laws.operate.DoubtContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.RecordsOpening;

/** What is promised about doubts, kept in PostgreSQL. */
class PostgresDoubtTest extends DoubtContract {

    @Override
    protected RecordsOpening sessions() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe));
    }
}
