package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Claim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Issue: a full disk. Contract L.4, L.6: nothing is lost, nobody else is hurt, and it goes on when there is room. */
class FullDiskTest {

    private static final SqliteOptions SMALL = SqliteOptions.STANDARD.withMaxFileBytes(1 << 20);

    @TempDir
    Path directory;

    private static Json kilobytes(int count) {
        return Json.string("x".repeat(count << 10));
    }

    /** Writes until there is no room; how many were written. */
    private static int fill(StoreDriver journal, Claim claim, int first) {
        for (int n = first; n < 1_000; n++) {
            try {
                journal.write(claim, Sample.completed(n, kilobytes(20)));
            } catch (JournalException e) {
                assertThat(e.code()).isEqualTo("journal_unavailable");
                assertThat(e.retryable()).isTrue();
                assertThat(e).hasMessageContaining("cannot grow");
                return n;
            }
        }
        throw new AssertionError("there is always room");
    }

    @Test
    void whatWasWrittenStaysAndMoreIsWrittenWhenThereIsRoom() {
        try (var journal = new StoreDriver(JdbcStore.sqlite(directory.resolve("belay.db"), SMALL))) {
            Claim old = Sample.submitted(journal, "old");
            int written = fill(journal, old, 0);
            assertThat(written).isGreaterThan(10);
            assertThat(journal.effects(old.scope())).hasSize(written);
            // still full, still the same
            assertThat(fill(journal, old, written)).isEqualTo(written);
            assertThat(journal.effects(old.scope())).hasSize(written);
            assertThat(journal.end(old, Json.TRUE, Sample.NOW)).isTrue();
            assertThat(journal.collectEffects(Sample.NOW.plusSeconds(1))).isEqualTo(written);
            Claim next = Sample.submitted(journal, "next");
            assertThat(fill(journal, next, 0)).isGreaterThan(10);
        }
    }

    @Test
    void aLargerLimitIsEnough() {
        Path file = directory.resolve("belay.db");
        int written;
        try (var journal = new StoreDriver(JdbcStore.sqlite(file, SMALL))) {
            written = fill(journal, Sample.submitted(journal, "s"), 0);
        }
        try (var journal = new StoreDriver(JdbcStore.sqlite(file, SMALL.withMaxFileBytes(2 << 20)))) {
            Claim claim = journal.takeReady(1, 5, Sample.NOW).get(0);
            assertThat(journal.effects(claim.scope())).hasSize(written);
            assertThat(fill(journal, claim, written)).isGreaterThan(written);
        }
    }

    @Test
    void aWriteThatDoesNotFitHurtsNobodyElse() throws Exception {
        Path file = directory.resolve("belay.db");
        try (var journal = new StoreDriver(JdbcStore.sqlite(file, SMALL))) {
            fill(journal, Sample.submitted(journal, "filler"), 0);
        }
        // room for small writes, and not for a large one
        try (var journal = new StoreDriver(
                JdbcStore.sqlite(file, SMALL.withMaxFileBytes((1 << 20) + (32 << 10))))) {
            List<Claim> claims = new ArrayList<>();
            List<Callable<Boolean>> writes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Claim claim = Sample.submitted(journal, "s-" + i);
                claims.add(claim);
                Json result = i == 3 ? kilobytes(60) : Json.number(i);
                writes.add(() -> journal.write(claim, Sample.completed(0, result)).refusal() == null);
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Boolean>> written = threads.invokeAll(writes);
                for (int i = 0; i < 8; i++) {
                    Future<Boolean> one = written.get(i);
                    if (i == 3) {
                        assertThatThrownBy(one::get).isInstanceOf(ExecutionException.class)
                                .cause()
                                .isInstanceOf(JournalException.class);
                    } else {
                        assertThat(one.get()).isTrue();
                    }
                    assertThat(journal.effects(claims.get(i).scope())).hasSize(i == 3 ? 0 : 1);
                }
            }
        }
    }
}
