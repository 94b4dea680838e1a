package dev.belay.store.jdbc.postgres;

import dev.belay.laws.operate.DoubtContract;
import dev.belay.laws.store.StoreOpening;
import dev.belay.store.jdbc.JdbcStore;

/** What is promised about doubts, kept in PostgreSQL. */
class PostgresDoubtTest extends DoubtContract {

    @Override
    protected StoreOpening sessions() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe));
    }
}
