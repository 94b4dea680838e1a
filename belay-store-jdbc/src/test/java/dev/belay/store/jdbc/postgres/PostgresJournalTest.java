package dev.belay.store.jdbc.postgres;

import dev.belay.laws.journal.JournalContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.RecordsOpening;
import org.junit.jupiter.api.Tag;

/** Everything a journal promises, kept in PostgreSQL, with shared commits. */
@Tag("deep")
class PostgresJournalTest extends JournalContract {

    @Override
    protected RecordsOpening records() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe));
    }

    @Override
    protected int rounds() {
        return 4; // each one empties a schema
    }
}
