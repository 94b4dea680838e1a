package dev.belay.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.laws.store.SessionStoreContract;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.memory.GuardedMemory;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.context.Incarnation;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Holds the store in memory to the contract of stores, and to what only it can be asked. */
class InMemoryStoreTest extends SessionStoreContract {

    private static final SessionId SESSION = new SessionId("s");

    @Override
    protected RecordsOpening sessions() {
        return new GuardedMemory()::open;
    }

    @Test
    void lateTurnsAllocateAsLittleAsEarlyOnes() {
        try (var store = new StoreDriver(InMemoryStore.open())) {
            run(store, 1, 500);
            long early = allocated(store, 501, 1_000);
            run(store, 1_001, 20_000);
            long late = allocated(store, 20_001, 20_500);

            // a list of forty thousand messages that were copied once would be more than this
            assertThat(late).isLessThan(2 * early);
        }
    }

    private static long allocated(StoreDriver store, int first, int last) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        run(store, first, last);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static void run(StoreDriver store, int first, int last) {
        for (int turn = first; turn <= last; turn++) {
            var input = new Arrival("in" + turn, Arrival.Kind.INPUT, "hash", Json.TRUE);
            var started = (Acceptance.Started) store.accept(SESSION, new Incarnation(1, 2), input, -1, true,
                    Instant.EPOCH);
            store.commit(Objects.requireNonNull(started.claim()),
                    new TurnCommit(SESSION, turn, "r", List.of(Json.TRUE, Json.FALSE), Json.TRUE, Json.TRUE,
                            List.of(input.id())),
                    true, Instant.EPOCH);
        }
    }
}
