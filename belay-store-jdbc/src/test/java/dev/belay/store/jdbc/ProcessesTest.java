package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Written.Refusal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.8 (a process is alive while it holds its lock, no clock), L.6 (durable when told); issue: a second process on the
 * same file, kill -9, a WAL cut in its last unacknowledged commit, a file size limit.
 */
class ProcessesTest {

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    void scopesOfALivingProcessAreNotTakenAndThoseOfAKilledOneAre() throws Exception {
        try (var child = ChildJvm.start("hold", file().toString(), "3")) {
            String owner = child.line();
            try (var journal = new StoreDriver(JdbcStore.sqlite(file()))) {
                assertThat(journal.takeReady(10, 5, Sample.NOW)).isEmpty();
                Claim mine = Sample.submitted(journal, "mine");
                assertThat(journal.take(mine, "account:0", "call/0", Sample.NOW).refusal())
                        .isEqualTo(Refusal.BUSY);
                child.kill();
                // the resource is free before anybody takes the scope
                assertThat(journal.take(mine, "account:0", "call/0", Sample.NOW).refusal()).isNull();
                List<Claim> taken = journal.takeReady(10, 5, Sample.NOW);
                assertThat(taken).extracting(claim -> claim.scope().value())
                        .containsExactlyInAnyOrder("held-0", "held-1", "held-2");
                assertThat(taken).allSatisfy(claim -> assertThat(claim.fence()).isEqualTo(2));
                assertThat(Files.exists(ownerFile(owner))).isFalse();
                assertThat(Sample.query(file(), "select id from owner")).containsExactly(journal.owner());
                for (String resource : List.of("account:1", "account:2")) {
                    assertThat(journal.take(mine, resource, "call/0", Sample.NOW).refusal()).isNull();
                }
            }
        }
    }

    private Path ownerFile(String owner) {
        return directory.resolve("belay.db-owners").resolve(owner + ".lock");
    }

    @Test
    @SuppressWarnings("try") // closed twice on purpose: once as the thing to look at
    void journalsOfOneProcessDoNotBuryEachOther() throws Exception {
        try (var first = new StoreDriver(JdbcStore.sqlite(file()));
                var second = new StoreDriver(JdbcStore.sqlite(file()))) {
            Claim claim = Sample.submitted(first, "s");
            assertThat(second.takeReady(10, 5, Sample.NOW)).isEmpty();
            // had the second one opened the first one's lock file, the lock would be gone now
            try (var child = ChildJvm.start("hold", file().toString(), "0")) {
                child.line();
                assertThat(Files.exists(ownerFile(first.owner()))).isTrue();
                assertThat(Files.exists(ownerFile(second.owner()))).isTrue();
                child.kill();
            }
            assertThat(second.takeReady(10, 5, Sample.NOW)).isEmpty();
            Sample.write(first, claim, 1);
            first.close();
            assertThat(second.takeReady(10, 5, Sample.NOW)).extracting(Claim::scope)
                    .containsExactly(claim.scope());
        }
    }

    @Test
    void processesWriteToOneFileAtTheSameTime() throws Exception {
        try (var one = ChildJvm.start("write", file().toString(), "one", "300");
                var two = ChildJvm.start("write", file().toString(), "two", "300")) {
            one.line();
            two.line();
            // both make the file, and so does this process
            one.goOn();
            two.goOn();
            try (var journal = new StoreDriver(JdbcStore.sqlite(file()))) {
                Claim claim = Sample.submitted(journal, "three");
                for (int i = 0; i < 300; i++) {
                    Sample.write(journal, claim, i);
                }
                assertThat(one.line()).isEqualTo("done");
                assertThat(two.line()).isEqualTo("done");
                for (String scope : List.of("one", "two", "three")) {
                    assertThat(journal.effects(new ScopeId(scope))).hasSize(300);
                }
                assertThat(journal.state(new ScopeId("one")).orElseThrow().status()).isEqualTo(Status.ENDED);
            }
            one.ends();
            two.ends();
        }
    }

    @Test
    void aLogThatWasCutInItsLastCommitLosesNothingThatWasAcknowledged() throws Exception {
        int acknowledged = 5;
        long before;
        try (var child = ChildJvm.start("die", file().toString(), "" + acknowledged)) {
            before = Long.parseLong(child.line());
            child.exit();
        }
        Path log = directory.resolve("belay.db-wal");
        List<Long> cuts = new ArrayList<>(List.of(Files.size(log)));
        for (long at = before; at < Files.size(log); at += 509) {
            cuts.add(at);
        }
        assertThat(cuts).hasSizeGreaterThan(5);
        List<String> kept = keys(acknowledged);
        for (long cut : cuts) {
            Path copy = copyCutAt(cut);
            try (var journal = new StoreDriver(JdbcStore.sqlite(copy))) {
                List<String> found = Sample.keys(journal, "s");
                assertThat(found).as("cut at %s", cut)
                        .isEqualTo(cut == Files.size(log) ? keys(acknowledged + 1) : kept);
                assertThat(journal.takeReady(10, 5, Sample.NOW)).hasSize(1);
            }
        }
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(n -> "call/" + n).toList();
    }

    private Path copyCutAt(long cut) throws IOException {
        Path there = Files.createDirectories(directory.resolve("cut-" + cut));
        Files.copy(file(), there.resolve("belay.db"));
        Path log = Files.copy(directory.resolve("belay.db-wal"), there.resolve("belay.db-wal"));
        try (var access = new RandomAccessFile(log.toFile(), "rw")) {
            access.setLength(cut);
        }
        return there.resolve("belay.db");
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "needs a POSIX file system and shell")
    void aFileSizeLimitLosesNothingThatWasAcknowledged() throws Exception {
        var through = List.of("/bin/sh", "-c", "ulimit -f 8192; exec \"$0\" \"$@\"");
        int written;
        try (var child = ChildJvm.start(through, "fill", file().toString())) {
            written = Integer.parseInt(child.line());
            assertThat(child.line()).isEqualTo("retryable: true");
            child.ends();
        }
        assertThat(written).isPositive();
        try (var journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            assertThat(journal.effects(new ScopeId("s"))).hasSize(written);
            Claim claim = journal.takeReady(1, 5, Sample.NOW).get(0);
            Sample.write(journal, claim, written);
        }
    }
}
