package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.store.jdbc.file.GroupWriter;
import dev.belay.store.jdbc.sqlite.SqliteCollector;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteException;

/**
 * Contract M.3: large results are stored once by content, the bytes first and in a commit of their own, with references that a
 * collector cannot break.
 */
class OutputsTest {

    private static final Instant FAR = Sample.NOW.plusSeconds(1_000_000);

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    void equalResultsAreStoredOnce() throws SQLException {
        try (var journal = SqliteJournal.open(file())) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            journal.write(claim, Sample.completed(2, Sample.large(1)));
            journal.write(claim, Sample.completed(3, Sample.large(2)));
            journal.late(claim.scope(), "call/1", Sample.large(1), Sample.NOW);
            journal.end(claim, Sample.large(2), Sample.NOW);
            assertThat(Sample.query(file(), "select count(*) from output_bytes")).containsExactly("2");
            assertThat(Sample.query(file(), "select count(*) from effect where result is not null"))
                    .containsExactly("0");
            assertThat(journal.effects(claim.scope())).extracting(row -> row.result())
                    .containsExactlyInAnyOrder(Sample.large(1), Sample.large(1), Sample.large(2));
            assertThat(journal.lateResults(claim.scope()).get(0).result()).isEqualTo(Sample.large(1));
            assertThat(journal.state(claim.scope()).orElseThrow().result()).isEqualTo(Sample.large(2));
            assertThat(journal.collectOutputs(FAR)).isZero();
            // late results and the result of the scope keep theirs when the records go
            assertThat(journal.collectEffects(FAR)).isEqualTo(3);
            assertThat(journal.collectOutputs(FAR)).isZero();
        }
    }

    @Test
    void theBytesHaveACommitOfTheirOwn() {
        var commits = new AtomicInteger();
        try (var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
            commits.incrementAndGet();
            GroupWriter.COMMIT.run(db);
        })) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            assertThat(commits.get()).isEqualTo(2);
            journal.write(claim, Sample.completed(2, Sample.large(1)));
            assertThat(commits.get()).isEqualTo(3);
        }
    }

    @Test
    void aCollectorBetweenTheBytesAndTheRecordTakesNothingAway() {
        var collected = new AtomicInteger();
        try (var collector = SqliteJournal.open(file());
                var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
                    GroupWriter.COMMIT.run(db);
                    collected.addAndGet(collector.collectOutputs(FAR));
                })) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            assertThat(collected.get()).isOne();
            assertThat(journal.effects(claim.scope()).get(0).result()).isEqualTo(Sample.large(1));
            assertThat(collector.collectOutputs(FAR)).isZero();
        }
    }

    @Test
    void theDatabaseItselfRefusesToLoseWhatIsReferredTo() throws SQLException {
        try (var journal = SqliteJournal.open(file())) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1, Sample.large(1)));
        }
        assertThatThrownBy(() -> Sample.execute(file(), "pragma foreign_keys = on; delete from output"))
                .isInstanceOf(SQLiteException.class)
                .hasMessageContaining("FOREIGN KEY");
    }

    @Test
    void onlyOldOnesGo() {
        try (var journal = SqliteJournal.open(file())) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            journal.end(claim, Json.TRUE, Sample.NOW);
            journal.collectEffects(FAR);
            assertThat(journal.effects(new ScopeId("s"))).isEmpty();
            assertThat(journal.collectOutputs(Sample.NOW)).isZero();
            assertThat(journal.collectOutputs(Sample.NOW.plusMillis(1))).isOne();
            assertThat(Objects.requireNonNull(journal.state(new ScopeId("s")).orElseThrow().result()))
                    .isEqualTo(Json.TRUE);
        }
    }

    @Test
    void manyRecordsGoInShortCommits() throws SQLException {
        var commits = new AtomicInteger();
        int many = 2 * SqliteCollector.ROWS + 1;
        try (var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
            commits.incrementAndGet();
            GroupWriter.COMMIT.run(db);
        })) {
            for (String scope : List.of("few", "many", "none")) {
                Claim claim = Sample.submitted(journal, scope);
                if (!scope.equals("none")) {
                    journal.write(claim, Sample.completed(1));
                }
                journal.end(claim, Json.TRUE, Sample.NOW);
            }
            Sample.execute(file(), "with recursive more(i) as (select 2 union all select i + 1 from more"
                    + " where i < " + many + ") insert into effect select scope, 'call/' || i, i, kind, hash,"
                    + " identity, status, input, result, output, fingerprint, effect, resource, fence,"
                    + " first_at, last_at from effect join more"
                    + " where scope = (select n from scope where id = 'many')");
            commits.set(0);
            assertThat(journal.collectEffects(FAR)).isEqualTo(many + 1);
            assertThat(commits.get()).isEqualTo(3);
            assertThat(Sample.query(file(), "select count(*) from effect")).containsExactly("0");
            assertThat(journal.collectEffects(FAR)).isZero();
            assertThat(commits.get()).as("nothing to do is no write").isEqualTo(3);
        }
    }

    @Test
    void largeResultsGoInShortCommits() throws SQLException {
        var commits = new AtomicInteger();
        try (var journal = SqliteJournal.open(file(), SqliteOptions.STANDARD, db -> {
            commits.incrementAndGet();
            GroupWriter.COMMIT.run(db);
        })) {
            Claim claim = Sample.submitted(journal, "s");
            int length = (int) SqliteCollector.BYTES / 2;
            for (int i = 0; i < 5; i++) {
                journal.write(claim, Sample.completed(i, Json.string(String.valueOf(i).repeat(length))));
            }
            journal.write(claim, Sample.completed(5, Sample.large(5)));
            journal.late(claim.scope(), "call/5", Sample.large(5), Sample.NOW);
            journal.end(claim, Json.TRUE, Sample.NOW);
            journal.collectEffects(FAR);
            commits.set(0);
            assertThat(journal.collectOutputs(FAR)).isEqualTo(5);
            assertThat(commits.get()).isEqualTo(3);
            assertThat(Sample.query(file(), "select count(*) from output_bytes")).containsExactly("1");
            assertThat(journal.collectOutputs(FAR)).isZero();
            assertThat(commits.get()).as("nothing to do is no write").isEqualTo(3);
        }
    }
}
