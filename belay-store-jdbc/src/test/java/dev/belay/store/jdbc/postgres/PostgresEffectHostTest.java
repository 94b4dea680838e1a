package dev.belay.store.jdbc.postgres;

import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.effect.EffectHostContract;
import dev.belay.testkit.effect.HostRecords;
import dev.belay.testkit.effect.JournalRecords;

/** Keeps everything that {@link EffectHostContract} lists, on records in a PostgreSQL schema. */
final class PostgresEffectHostTest extends EffectHostContract {

    @Override
    protected HostRecords records() {
        var place = TestPostgres.place();
        return new JournalRecords(
                probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe)).journal());
    }
}
