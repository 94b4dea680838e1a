package dev.belay.store.jdbc.postgres;

import dev.belay.laws.store.SessionStoreContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.RecordsOpening;
import org.junit.jupiter.api.Tag;

/** Everything a store of sessions promises, kept in PostgreSQL, in a database whose own order of texts is a language's. */
@Tag("deep")
class PostgresSessionStoreTest extends SessionStoreContract {

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
