package dev.belay.store.jdbc.postgres;

import dev.belay.laws.operate.PauseContract;
import dev.belay.laws.store.StoreOpening;
import dev.belay.store.jdbc.JdbcStore;

/** What is promised about pauses, kept in PostgreSQL. */
class PostgresPauseTest extends PauseContract {

    @Override
    protected StoreOpening sessions() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe));
    }
}
