package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.KeptBytes;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract M.3 and T.4 on the disk: references that a collector cannot break, and what each costs. */
class AttachmentsTest {

    private static final Instant FAR = Sample.NOW.plusSeconds(1_000_000);
    /** References that one commit deletes. */
    private static final int ROWS = 1_000;
    private static final KeptBytes LARGE = KeptBytes.of(new byte[100_000], "image/png");

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    void eachCostsOneCommit() {
        var commits = new AtomicInteger();
        try (var journal = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        })) {
            Claim claim = Sample.submitted(journal, "s");
            Claim other = Sample.submitted(journal, "t");
            commits.set(0);
            journal.keep(claim, "s", LARGE, Sample.NOW);
            assertThat(commits.get()).as("the bytes and the reference").isEqualTo(1);
            journal.keep(other, "t", LARGE, Sample.NOW);
            assertThat(commits.get()).as("the bytes are there").isEqualTo(2);
            journal.keep(claim, "s", LARGE, Sample.NOW);
            assertThat(commits.get()).as("all is there").isEqualTo(2);
            journal.keep(claim, "s", KeptBytes.of(new byte[]{1}, "a/b"), Sample.NOW);
            assertThat(commits.get()).isEqualTo(3);
        }
    }

    @Test
    void aProcessThatDiesInTheWriteLeavesNothing() throws SQLException {
        var dying = new AtomicBoolean();
        try (var journal = new StoreDriver(JdbcStore.sqlite(file(),
                SqliteOptions.STANDARD.withProbe((moment, write) -> {
                    if (dying.get() && write.startsWith("keep ")) {
                        throw new IllegalStateException("dies");
                    }
                })))) {
            Claim claim = Sample.submitted(journal, "s");
            dying.set(true);
            assertThatThrownBy(() -> journal.keep(claim, "s", LARGE, Sample.NOW))
                    .hasMessageContaining("dies");
        }
        assertThat(Sample.query(file(), "select length(bytes) from content_bytes")).isEmpty();
        try (var next = new StoreDriver(JdbcStore.sqlite(file()))) {
            assertThat(next.kept("s", LARGE.reference())).isEmpty();
            assertThat(next.collectOutputs(FAR)).isZero();
        }
    }

    @Test
    void aCollectorAfterEveryCommitTakesNothingAway() {
        var collected = new AtomicInteger();
        try (var collector = new StoreDriver(JdbcStore.sqlite(file()));
                var journal = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
                    real.run();
                    collected.addAndGet(collector.collectOutputs(FAR));
                })) {
            Claim claim = Sample.submitted(journal, "s");
            journal.keep(claim, "s", LARGE, Sample.NOW);
            assertThat(collected.get()).isZero();
            assertThat(journal.kept("s", LARGE.reference())).isPresent();
            assertThat(collector.collectOutputs(FAR)).isZero();
        }
    }

    @Test
    void manyReferencesGoInShortCommits() throws SQLException {
        var commits = new AtomicInteger();
        int many = 2 * ROWS + 1;
        try (var journal = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        })) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1));
            for (int i = 1; i <= many; i++) {
                journal.keep(claim, "s", KeptBytes.of(new byte[]{1}, "a/" + i), Sample.NOW);
            }
            journal.end(claim, Json.TRUE, Sample.NOW);
            commits.set(0);
            assertThat(journal.collectEffects(FAR)).isEqualTo(many + 1);
            assertThat(commits.get()).isEqualTo(3);
            assertThat(Sample.query(file(), "select count(*) from kept")).containsExactly("0");
            assertThat(journal.collectEffects(FAR)).isZero();
        }
    }

    @Test
    void aFullFileKeepsNothingAndHarmsNothing() throws SQLException {
        try (var journal = new StoreDriver(
                JdbcStore.sqlite(file(), SqliteOptions.STANDARD.withMaxFileBytes(1 << 20)))) {
            Claim claim = Sample.submitted(journal, "s");
            KeptBytes tooMuch = KeptBytes.of(new byte[2 << 20], "image/png");
            assertThatThrownBy(() -> journal.keep(claim, "s", tooMuch, Sample.NOW))
                    .isInstanceOfSatisfying(JournalException.class,
                            e -> assertThat(e.code()).isEqualTo("journal_unavailable"));
            assertThat(journal.kept("s", tooMuch.reference())).isEmpty();
            assertThat(journal.keep(claim, "s", LARGE, Sample.NOW)).as("what fits is kept").isTrue();
        }
        assertThat(Sample.query(file(), "pragma integrity_check")).containsExactly("ok");
    }
}
