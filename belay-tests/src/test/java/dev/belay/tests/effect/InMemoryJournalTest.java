package dev.belay.tests.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.laws.journal.JournalContract;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.crash.RecordsOpening;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks the journal in memory against the contract of journals, and its own additions. */
class InMemoryJournalTest extends JournalContract {

    private static final Instant NOW = Instant.EPOCH;
    private static final ScopeId SCOPE = new ScopeId("s");
    private static final ScopeInput INPUT = new ScopeInput("test@1", Json.NULL);

    @Override
    protected RecordsOpening records() {
        return new GuardedMemory()::open;
    }

    @Test
    void scopeThatIsTakenMeanwhileIsNotTakenTwice() {
        var records = new SharedMemory();
        var fast = new StoreDriver(records.open());
        List<Claim> taken = new ArrayList<>();
        var slow = new StoreDriver(records.open((moment, write) -> {
            if (moment == Moment.BEFORE) {
                taken.addAll(fast.takeReady(9, 5, NOW));
            }
        }));
        fast.submit(SCOPE, INPUT, false, NOW);

        assertThat(slow.takeReady(9, 5, NOW)).isEmpty();
        assertThat(taken).hasSize(1);
        assertThat(fast.end(taken.getFirst(), Json.TRUE, NOW)).isTrue();
    }

    @Test
    void scopeThatIsDueMeanwhileIsNotTakenTwice() {
        var records = new SharedMemory();
        var fast = new StoreDriver(records.open());
        List<Claim> taken = new ArrayList<>();
        var slow = new StoreDriver(records.open((moment, write) -> {
            if (moment == Moment.BEFORE) {
                taken.addAll(fast.takeDue(9, NOW));
            }
        }));
        var created = (Submission.Created) fast.submit(SCOPE, INPUT, true, NOW);
        assertThat(created.claim()).isNotNull();
        if (created.claim() != null) {
            fast.park(created.claim(), List.of(), Set.of(), false, NOW, NOW);
        }

        assertThat(slow.takeDue(9, NOW)).isEmpty();
        assertThat(taken).hasSize(1);
        assertThat(fast.end(taken.getFirst(), Json.TRUE, NOW)).isTrue();
    }

    @Test
    void probeThatWritesInsideAWriteIsACrash() {
        var records = new SharedMemory();
        var other = new StoreDriver(records.open());
        var journal = new StoreDriver(records.open((moment, write) -> {
            if (moment == Moment.INSIDE) {
                other.submit(new ScopeId("t"), INPUT, false, NOW);
            }
        }));

        assertThatThrownBy(() -> journal.submit(SCOPE, INPUT, false, NOW))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a probe must not write inside a write");
        assertThat(other.state(SCOPE)).isEmpty();
        assertThat(other.state(new ScopeId("t"))).isEmpty();
    }

    @Test
    void randomnessComesFromOutside() {
        var one = new StoreDriver(new SharedMemory(new Random(7)).open());
        var other = new StoreDriver(new SharedMemory(new Random(7)).open());

        assertThat(one.currentSecret().bytes()).isEqualTo(other.currentSecret().bytes());
        assertThat(one.submit(SCOPE, INPUT, true, NOW)).isEqualTo(other.submit(SCOPE, INPUT, true, NOW));
    }
}
