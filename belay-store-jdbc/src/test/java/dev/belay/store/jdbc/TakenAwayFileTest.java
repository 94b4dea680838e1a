package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is deleted, moved or replaced while it is open fails the store; no write goes nowhere and is answered. */
class TakenAwayFileTest {

    @TempDir
    Path directory;

    @BeforeEach
    void openFilesCanBeTakenAway() {
        assumeFalse(System.getProperty("os.name").startsWith("Windows"), "Windows keeps open files");
    }

    private Path file() {
        return directory.resolve("belay.db");
    }

    private Path elsewhere() {
        return directory.resolve("elsewhere.db");
    }

    enum Loss {
        DELETED,
        MOVED,
        REPLACED,
        LOG_DELETED,
        INDEX_DELETED
    }

    private void lose(Loss loss) {
        try {
            switch (loss) {
                case DELETED -> Files.delete(file());
                case MOVED -> Files.move(file(), elsewhere());
                case REPLACED -> {
                    Files.copy(file(), elsewhere());
                    Files.move(elsewhere(), file(), StandardCopyOption.REPLACE_EXISTING);
                }
                case LOG_DELETED -> Files.delete(directory.resolve("belay.db-wal"));
                case INDEX_DELETED -> Files.delete(directory.resolve("belay.db-shm"));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void isLost(Throwable e) {
        assertThat(e).isInstanceOf(JournalException.class)
                .hasMessageContaining("open the store again")
                .extracting("code")
                .isEqualTo("journal_unavailable");
    }

    @ParameterizedTest
    @EnumSource
    void noWriteIsAnsweredAfterItsFileWasTakenAway(Loss loss) {
        try (StoreDriver journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = Sample.submitted(journal, "s");
            Sample.write(journal, claim, 1);
            lose(loss);

            assertThatThrownBy(() -> Sample.write(journal, claim, 2)).satisfies(TakenAwayFileTest::isLost);
            assertThatThrownBy(() -> Sample.write(journal, claim, 3)).satisfies(TakenAwayFileTest::isLost);
            assertThatThrownBy(() -> journal.effects(claim.scope())).satisfies(TakenAwayFileTest::isLost);
        }
    }

    /** The last moment: the transaction is written, and its commit follows. */
    @ParameterizedTest
    @EnumSource
    void aCommitUnderWayIsNotAnswered(Loss loss) {
        var next = new AtomicReference<@Nullable Loss>();
        var options = SqliteOptions.STANDARD.withProbe((moment, write) -> {
            Loss now = moment == Moment.INSIDE ? next.getAndSet(null) : null;
            if (now != null) {
                lose(now);
            }
        });
        try (StoreDriver journal = new StoreDriver(JdbcStore.sqlite(file(), options))) {
            Claim claim = Sample.submitted(journal, "s");
            next.set(loss);

            assertThatThrownBy(() -> Sample.write(journal, claim, 1)).satisfies(TakenAwayFileTest::isLost);
        }
    }

    @Test
    void theLostFileIsNamed() {
        try (StoreDriver journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = Sample.submitted(journal, "s");
            lose(Loss.REPLACED);
            assertThatThrownBy(() -> Sample.write(journal, claim, 1))
                    .hasMessageContaining("another file has taken the place of " + real(file()));
        }
        try (StoreDriver journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Sample.submitted(journal, "t");
            lose(Loss.LOG_DELETED);
            assertThatThrownBy(() -> Sample.submitted(journal, "u"))
                    .hasMessageContaining("belay.db-wal was deleted or moved");
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store on the new file is open when the store on the old one is closed, whose last connection would delete the log. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFileInItsPlaceIsLeftAlone(boolean noticed) {
        StoreDriver old = new StoreDriver(JdbcStore.sqlite(file()));
        Claim claim = Sample.submitted(old, "old");
        old.effects(claim.scope());
        lose(Loss.DELETED);
        for (String left : List.of("belay.db-wal", "belay.db-shm")) {
            assertThat(directory.resolve(left).toFile().delete()).isTrue();
        }
        try (StoreDriver fresh = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim mine = Sample.submitted(fresh, "new");
            Sample.write(fresh, mine, 1);
            if (noticed) {
                assertThatThrownBy(() -> Sample.write(old, claim, 1))
                        .satisfies(TakenAwayFileTest::isLost);
            }
            old.close();

            Sample.write(fresh, mine, 2);
            assertThat(fresh.effects(mine.scope())).hasSize(2);
        }
        try (StoreDriver again = new StoreDriver(JdbcStore.sqlite(file()))) {
            assertThat(again.effects(new ScopeId("new"))).hasSize(2);
            assertThat(again.state(new ScopeId("old"))).isEmpty();
        }
    }

    /** What was committed to a log without a name reaches the file when the store is closed. */
    @Test
    void writesBeforeTheLogWasDeletedAreKept() {
        try (StoreDriver journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = Sample.submitted(journal, "s");
            Sample.write(journal, claim, 1);
            lose(Loss.LOG_DELETED);
            assertThatThrownBy(() -> Sample.write(journal, claim, 2)).satisfies(TakenAwayFileTest::isLost);
        }
        try (StoreDriver again = new StoreDriver(JdbcStore.sqlite(file()))) {
            assertThat(again.effects(new ScopeId("s"))).isNotEmpty();
        }
    }
}
