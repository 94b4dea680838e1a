package dev.belay.store.jdbc.postgres;

import dev.belay.testkit.rows.RowsContract;
import dev.belay.testkit.rows.RowsOpening;

/** Everything that rows promise, kept in PostgreSQL. */
class PostgresRowsTest extends RowsContract {

    @Override
    protected RowsOpening rows() {
        var place = TestPostgres.icuPlace();
        return () -> PostgresRows.open(place.source(), place.options());
    }
}
