package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.store.jdbc.file.GroupWriter;
import dev.belay.store.jdbc.sqlite.SqliteCollector;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteException;

/** Contract M.3 and T.4 on the disk: bytes first, references that a collector cannot break, and what each costs. */
class AttachmentsTest {

    private static final Instant FAR = Sample.NOW.plusSeconds(1_000_000);
    private static final KeptBytes LARGE = KeptBytes.of(new byte[100_000], "image/png");

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    void aLargeOneCostsTwoCommitsAndASmallOneOne() {
        var commits = new AtomicInteger();
        try (var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
            commits.incrementAndGet();
            GroupWriter.COMMIT.run(db);
        })) {
            Claim claim = Sample.submitted(journal, "s");
            Claim other = Sample.submitted(journal, "t");
            commits.set(0);
            journal.keep(claim, "s", LARGE, Sample.NOW);
            assertThat(commits.get()).as("the bytes, then the reference").isEqualTo(2);
            journal.keep(other, "t", LARGE, Sample.NOW);
            assertThat(commits.get()).as("the bytes are there").isEqualTo(3);
            journal.keep(claim, "s", LARGE, Sample.NOW);
            assertThat(commits.get()).as("all is there").isEqualTo(3);
            journal.keep(claim, "s", KeptBytes.of(new byte[]{1}, "a/b"), Sample.NOW);
            assertThat(commits.get()).isEqualTo(4);
        }
    }

    @Test
    void aProcessThatDiesBetweenBytesAndReferenceLeavesBytesThatAreCollected() throws SQLException {
        var dying = new AtomicBoolean();
        try (var journal = SqliteJournal.open(file(),
                SqliteOptions.STANDARD.withProbe((moment, write) -> {
                    if (dying.get() && write.startsWith("keep ")) {
                        throw new IllegalStateException("dies");
                    }
                }))) {
            Claim claim = Sample.submitted(journal, "s");
            dying.set(true);
            assertThatThrownBy(() -> journal.keep(claim, "s", LARGE, Sample.NOW))
                    .hasMessageContaining("dies");
        }
        assertThat(Sample.query(file(), "select length(bytes) from output_bytes")).containsExactly("100000");
        try (var next = SqliteJournal.open(file())) {
            assertThat(next.kept("s", LARGE.reference())).isEmpty();
            assertThat(next.collectOutputs(Sample.NOW)).as("too young").isZero();
            assertThat(next.collectOutputs(FAR)).isOne();
        }
        assertThat(Sample.query(file(), "select count(*) from output_bytes")).containsExactly("0");
    }

    @Test
    void aCollectorBetweenTheBytesAndTheReferenceTakesNothingAway() {
        var collected = new AtomicInteger();
        try (var collector = SqliteJournal.open(file());
                var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
                    GroupWriter.COMMIT.run(db);
                    collected.addAndGet(collector.collectOutputs(FAR));
                })) {
            Claim claim = Sample.submitted(journal, "s");
            journal.keep(claim, "s", LARGE, Sample.NOW);
            assertThat(collected.get()).isOne();
            assertThat(journal.kept("s", LARGE.reference())).isPresent();
            assertThat(collector.collectOutputs(FAR)).isZero();
        }
    }

    @Test
    void theDatabaseItselfRefusesToLoseWhatIsKept() {
        try (var journal = SqliteJournal.open(file())) {
            journal.keep(Sample.submitted(journal, "s"), "s", LARGE, Sample.NOW);
        }
        assertThatThrownBy(() -> Sample.execute(file(), "pragma foreign_keys = on; delete from output"))
                .isInstanceOf(SQLiteException.class)
                .hasMessageContaining("FOREIGN KEY");
    }

    @Test
    void manyReferencesGoInShortCommits() throws SQLException {
        var commits = new AtomicInteger();
        int many = 2 * SqliteCollector.ROWS + 1;
        try (var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
            commits.incrementAndGet();
            GroupWriter.COMMIT.run(db);
        })) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1));
            journal.keep(claim, "s", LARGE, Sample.NOW);
            Sample.execute(file(), "with recursive more(i) as (select 2 union all select i + 1 from more"
                    + " where i < " + many + ") insert into attachment select keeper, hash, 'a/' || i, since"
                    + " from attachment join more");
            journal.end(claim, Json.TRUE, Sample.NOW);
            commits.set(0);
            assertThat(journal.collectEffects(FAR)).isEqualTo(many + 1);
            assertThat(commits.get()).isEqualTo(3);
            assertThat(Sample.query(file(), "select count(*) from attachment")).containsExactly("0");
            assertThat(journal.collectEffects(FAR)).isZero();
        }
    }

    @Test
    void aFullFileKeepsNothingAndHarmsNothing() throws SQLException {
        try (var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD.withMaxFileBytes(1 << 20))) {
            Claim claim = Sample.submitted(journal, "s");
            KeptBytes tooMuch = KeptBytes.of(new byte[2 << 20], "image/png");
            assertThatThrownBy(() -> journal.keep(claim, "s", tooMuch, Sample.NOW))
                    .isInstanceOfSatisfying(JournalException.class,
                            e -> assertThat(e.code()).isEqualTo("journal_unavailable"));
            assertThat(journal.kept("s", tooMuch.reference())).isEmpty();
            assertThat(journal.keep(claim, "s", LARGE, Sample.NOW)).as("what fits is kept").isTrue();
        }
        assertThat(Sample.query(file(), "pragma foreign_key_check")).isEmpty();
    }
}
