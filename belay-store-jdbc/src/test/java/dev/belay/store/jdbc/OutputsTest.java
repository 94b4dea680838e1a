package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Written;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract M.3: large results are stored once by content, with references that a collector cannot break.
 */
class OutputsTest {

    private static final Instant FAR = Sample.NOW.plusSeconds(1_000_000);
    /** Records and bytes that one commit deletes. */
    private static final int ROWS = 1_000;
    private static final int BYTES = 16 << 20;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    void equalResultsAreStoredOnce() throws SQLException {
        try (var journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = Sample.submitted(journal, "s");
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            journal.write(claim, Sample.completed(2, Sample.large(1)));
            journal.write(claim, Sample.completed(3, Sample.large(2)));
            journal.late(claim.scope(), "call/1", Sample.large(1), Sample.NOW);
            journal.end(claim, Sample.large(2), Sample.NOW);
            assertThat(Sample.query(file(), "select count(*) from content_bytes")).containsExactly("2");
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
    void theBytesShareTheCommitOfTheirRecord() {
        var commits = new AtomicInteger();
        try (var journal = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        })) {
            Claim claim = Sample.submitted(journal, "s");
            commits.set(0);
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            assertThat(commits.get()).isEqualTo(1);
            journal.write(claim, Sample.completed(2, Sample.large(1)));
            assertThat(commits.get()).isEqualTo(2);
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
            journal.write(claim, Sample.completed(1, Sample.large(1)));
            assertThat(collected.get()).isZero();
            assertThat(journal.effects(claim.scope()).get(0).result()).isEqualTo(Sample.large(1));
            assertThat(collector.collectOutputs(FAR)).isZero();
        }
    }

    @Test
    void onlyOldOnesGo() {
        try (var journal = new StoreDriver(JdbcStore.sqlite(file()))) {
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
        int many = 2 * ROWS + 1;
        try (var journal = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        })) {
            for (String scope : List.of("few", "many", "none")) {
                Claim claim = Sample.submitted(journal, scope);
                int records = scope.equals("many") ? many : scope.equals("few") ? 1 : 0;
                List<Pending<Written>> writing = new ArrayList<>();
                for (int i = 1; i <= records; i++) {
                    writing.add(journal.writing(claim, Sample.completed(i)));
                }
                writing.forEach(Pending::await);
                journal.end(claim, Json.TRUE, Sample.NOW);
            }
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
        try (var journal = WatchedRows.open(file(), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            real.run();
        })) {
            Claim claim = Sample.submitted(journal, "s");
            int length = BYTES / 2;
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
            assertThat(Sample.query(file(), "select count(*) from content_bytes")).containsExactly("1");
            assertThat(journal.collectOutputs(FAR)).isZero();
            assertThat(commits.get()).as("nothing to do is no write").isEqualTo(3);
        }
    }
}
