package dev.belay.store.jdbc.postgres;

import dev.belay.laws.journal.JournalContract;
import dev.belay.laws.journal.JournalOpening;
import dev.belay.store.jdbc.JdbcStore;
import org.junit.jupiter.api.Tag;

/** Everything a journal promises, kept in PostgreSQL, with shared commits. */
@Tag("deep")
class PostgresJournalTest extends JournalContract {

    @Override
    protected JournalOpening records() {
        var place = TestPostgres.icuPlace();
        return probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe)).journal();
    }

    @Override
    protected int rounds() {
        return 4; // each one empties a schema
    }
}
