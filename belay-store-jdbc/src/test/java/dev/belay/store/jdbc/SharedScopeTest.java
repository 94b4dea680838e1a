package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract L.6: operations of one scope that share a commit are applied in their order, each over what the one before has left. */
@Timeout(60)
class SharedScopeTest {

    @TempDir
    Path directory;

    private final AtomicInteger commits = new AtomicInteger();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile boolean holding;

    private StoreDriver open() {
        return WatchedRows.open(directory.resolve("belay.db"), SqliteOptions.STANDARD, real -> {
            commits.incrementAndGet();
            if (holding) {
                holding = false;
                try {
                    held.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            real.run();
        });
    }

    /** Lets a record, something that ends the claim, and another record of one scope gather behind a commit. */
    private List<Written> gathered(StoreDriver journal, Claim claim, Claim other, Consumer<Claim> ends)
            throws InterruptedException {
        commits.set(0);
        holding = true;
        Pending<Written> first = journal.writing(other, Sample.completed(0));
        while (holding) {
            Thread.onSpinWait(); // until the writing thread is held in that commit
        }
        Pending<Written> before = journal.writing(claim, Sample.completed(1));
        Thread ending = Thread.ofPlatform().start(() -> ends.accept(claim));
        while (ending.getState() != Thread.State.WAITING) {
            Thread.onSpinWait(); // until it has handed over its write and waits for the answer
        }
        Pending<Written> after = journal.writing(claim, Sample.completed(2));
        held.countDown();
        ending.join();
        List<Written> answers = List.of(first.await(), before.await(), after.await());
        assertThat(commits.get()).as("the one that was held, and the one that is shared").isEqualTo(2);
        return answers;
    }

    private void check(Consumer<Claim> ends, StoreDriver journal, Status status) throws InterruptedException {
        Claim other = Sample.submitted(journal, "t");
        Claim claim = Sample.submitted(journal, "s");
        List<Written> answers = gathered(journal, claim, other, ends);
        assertThat(answers).extracting(Written::refusal).containsExactly(null, null, Refusal.FENCED);
        assertThat(Sample.keys(journal, "s")).containsExactly("call/1");
        assertThat(journal.state(claim.scope()).orElseThrow().status()).isEqualTo(status);
    }

    @Test
    void aRecordAndAParkOfOneScopeShareACommitInTheirOrder() throws InterruptedException {
        try (StoreDriver store = open()) {
            StoreDriver journal = store;
            check(claim -> journal.park(claim, List.of(), Set.of(), false, null, Sample.NOW), journal,
                    Status.PARKED);
        }
    }

    @Test
    void aRecordAndTheEndOfOneScopeShareACommitInTheirOrder() throws InterruptedException {
        try (StoreDriver store = open()) {
            StoreDriver journal = store;
            check(claim -> journal.end(claim, Json.TRUE, Sample.NOW), journal, Status.ENDED);
        }
    }
}
