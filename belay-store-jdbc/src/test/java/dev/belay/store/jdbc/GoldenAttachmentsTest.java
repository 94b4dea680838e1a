package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.5: recorded attachments are read. The file was written by a store that ended in the second turn of a session, and in a
 * process.
 */
class GoldenAttachmentsTest {

    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");
    private static final Reference SMALL = new Reference(
            "45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6", "text/plain; charset=utf-8",
            8);
    private static final Reference LARGE = new Reference(
            "bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722", "image/png", 70_000);
    private static final String SESSION = TurnScope
            .prefix(new Incarnation(0x0102030405060708L, 0x1112131415161718L));
    private static final String FORK = TurnScope.prefix(new Incarnation(5, 6));

    @TempDir
    Path directory;

    private StoreDriver open(String golden) throws IOException, SQLException {
        Path file = directory.resolve("belay.db");
        try (var in = Objects.requireNonNull(getClass().getResourceAsStream(golden))) {
            Sample.execute(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        return new StoreDriver(JdbcStore.sqlite(file));
    }

    private static boolean keeps(StoreDriver store, String keeper, Reference reference) {
        return store.kept(keeper, reference).isPresent();
    }

    @Test
    void attachmentsAreRead() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-attachments.sql")) {
            for (String keeper : List.of(SESSION, FORK, "process/report")) {
                assertThat(store.kept(keeper, SMALL)).as(keeper)
                        .hasValueSatisfying(bytes -> assertThat(new String(bytes, StandardCharsets.UTF_8))
                                .isEqualTo("größer"));
            }
            for (String keeper : List.of(SESSION, FORK, "batch")) {
                assertThat(store.kept(keeper, LARGE)).as(keeper)
                        .hasValueSatisfying(bytes -> assertThat(new String(bytes, StandardCharsets.UTF_8))
                                .isEqualTo("x".repeat(70_000)));
            }
            assertThat(keeps(store, "batch", SMALL)).isFalse();
        }
    }

    @Test
    void theTurnOfTheDeadReadsWhatTheOneBeforeKept() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-attachments.sql")) {
            Claim claim = store.takeReady(9, 5, START)
                    .stream()
                    .filter(one -> one.scope().value().startsWith("turn/"))
                    .findFirst()
                    .orElseThrow();
            assertThat(keeps(store, TurnScope.keeper(claim.scope()), SMALL)).isTrue();
        }
    }

    @Test
    void theyGoWithWhoeverKeepsThem() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-attachments.sql")) {
            Instant far = START.plusSeconds(1_000_000);
            assertThat(store.collectEffects(far)).as("a record and a reference of the batch")
                    .isEqualTo(2);
            store.delete(new SessionId("größer 😀"), far);
            assertThat(store.collectOutputs(far)).isZero();
            assertThat(keeps(store, FORK, SMALL) && keeps(store, FORK, LARGE)).isTrue();
            store.delete(new SessionId("fork"), far);
            assertThat(store.collectOutputs(far)).as("the process keeps the other").isOne();
            assertThat(keeps(store, "process/report", SMALL)).isTrue();
        }
    }
}
