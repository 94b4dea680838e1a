package dev.belay.store.jdbc.postgres;

import dev.belay.laws.store.SessionStoreRacesContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.RecordsOpening;

/** Races and crashes of a store of sessions in PostgreSQL, in a database whose own order of texts is a language's. */
class PostgresSessionStoreRacesTest extends SessionStoreRacesContract {

    @Override
    protected RecordsOpening sessions() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe));
    }

    @Override
    protected int rounds() {
        return 4; // each one empties a schema
    }
}
