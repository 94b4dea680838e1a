package dev.belay.store.jdbc.postgres;

import dev.belay.laws.journal.JournalRacesContract;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.crash.RecordsOpening;

/** Races, crashes and interrupts of a journal in PostgreSQL, with shared commits. */
class PostgresJournalRacesTest extends JournalRacesContract {

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
