package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract V.2 with real processes and {@code SIGTERM}. {@code -Dbelay.restarts=50} restarts more often. */
class DrainProcessTest {

    private static final int RESTARTS = Integer.getInteger("belay.restarts", 4);
    private static final int SESSIONS_PER_RESTART = 30;
    private static final int SIGTERM = 128 + 15;

    @TempDir
    Path directory;

    private WorkerProcess worker(Ledger ledger) throws IOException {
        return new WorkerProcess(DrainWorker.class, directory.resolve("belay.db"), ledger.port());
    }

    /** A runtime that accepts inputs and runs nothing. */
    private Belay submitter() {
        return Belay.builder()
                .model(DrainWorker.model())
                .store(JdbcStore.sqlite(directory.resolve("belay.db")))
                .start(false)
                .build();
    }

    private static TurnResult.Ended result(InputHandle input) {
        while (input.result().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        return input.result().orElseThrow();
    }

    @Test
    @Timeout(120)
    void bodyThatEndsWithinTheDrainIsRecordedWhenTheProcessIsTerminated() throws Exception {
        try (var ledger = new Ledger(); Belay submitter = submitter()) {
            InputHandle input;
            try (var worker = worker(ledger)) {
                input = submitter.session("s").turn("Hold.").submit();
                ledger.awaitEvent();
                worker.terminate();
                assertThat(worker.exit()).isEqualTo(SIGTERM);
            }
            assertThat(ledger.done()).as("the body has ended by itself").hasSize(1);
            try (Belay next = Belay.builder()
                    .model(DrainWorker.model())
                    .tools(DrainWorker.tools(new Ledger.Client(ledger.port()), new AtomicReference<>()))
                    .store(JdbcStore.sqlite(directory.resolve("belay.db")))
                    .build()) {
                assertThat(result(input).text()).isEqualTo("done: held");
                assertThat(next.stuck()).isEmpty();
            }
            assertThat(ledger.began()).as("it is not repeated").hasSize(1).containsValue(1);
        }
    }

    /** Its body would end if the runtime drained. */
    @Test
    @Timeout(120)
    void noShutdownHookIsInstalledUnlessAskedFor() throws Exception {
        try (var ledger = new Ledger(); Belay submitter = submitter()) {
            InputHandle input;
            try (var worker = new WorkerProcess(DrainWorker.Bare.class, directory.resolve("belay.db"),
                    ledger.port())) {
                input = submitter.session("s").turn("Hold.").submit();
                ledger.awaitEvent();
                worker.terminate();
                assertThat(worker.exit()).isEqualTo(SIGTERM);
            }
            assertThat(ledger.done()).as("nothing waited for the body").isEmpty();
            try (Belay next = Belay.builder()
                    .model(DrainWorker.model())
                    .tools(DrainWorker.tools(new Ledger.Client(ledger.port()), new AtomicReference<>()))
                    .store(JdbcStore.sqlite(directory.resolve("belay.db")))
                    .build()) {
                assertThat(result(input).text()).contains("in_doubt").contains("its process died");
                assertThat(next.doubts().open(0, 9)).hasSize(1);
            }
        }
    }

    @Test
    @Timeout(600)
    void rollingRestartUnderLoadRunsEachBodyOnceAndLeavesNoDoubt() throws Exception {
        List<InputHandle> inputs = new ArrayList<>();
        try (var ledger = new Ledger(); Belay submitter = submitter()) {
            WorkerProcess[] workers = {worker(ledger), worker(ledger)};
            try {
                for (int restart = 0; restart < RESTARTS; restart++) {
                    int bodies = ledger.began().size();
                    for (int session = 0; session < SESSIONS_PER_RESTART; session++) {
                        inputs.add(submitter.session("s" + restart + "-" + session).turn("Pay.").submit());
                    }
                    while (ledger.began().size() < bodies + SESSIONS_PER_RESTART / 3) {
                        ledger.awaitEvent();
                    }
                    WorkerProcess old = workers[restart % 2];
                    old.terminate();
                    assertThat(old.exit()).isEqualTo(SIGTERM);
                    workers[restart % 2] = worker(ledger);
                }
                for (InputHandle input : inputs) {
                    assertThat(result(input).text()).isEqualTo("done: paid");
                }
            } finally {
                workers[0].close();
                workers[1].close();
            }
            assertThat(ledger.began()).hasSize(inputs.size())
                    .allSatisfy((key, times) -> assertThat(times).isEqualTo(1));
            assertThat(ledger.done()).hasSize(inputs.size());
        }
    }
}
