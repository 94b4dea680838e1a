package dev.belay.store.jdbc.postgres;

import dev.belay.laws.effect.EffectHostContract;
import dev.belay.laws.effect.HostRecords;
import dev.belay.laws.effect.JournalRecords;
import dev.belay.store.jdbc.JdbcStore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Keeps everything that {@link EffectHostContract} lists, on records in a PostgreSQL schema. A host on this store opens five connections,
 * so only one variant runs unless the profile {@code long} is on: children as data, and scopes that park at once.
 */
@Tag("deep")
final class PostgresEffectHostTest extends EffectHostContract {

    public static Stream<Arguments> variants() {
        return Boolean.getBoolean("belay.long")
                ? EffectHostContract.variants()
                : Stream.of(Arguments.of("PT0S", "DATA"));
    }

    @Override
    protected HostRecords records() {
        var place = TestPostgres.icuPlace();
        return new JournalRecords(
                probe -> JdbcStore.postgres(place.source(), place.options().withProbe(probe)));
    }
}
