package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract U.3 with real processes: programs with different agents on one file, one of which is killed. */
class AgentKillTest {

    private static final int SESSIONS = 100;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    @Timeout(300)
    void noTurnOf200SessionsIsInTheWrongHandsAlsoIfAProgramIsKilled() throws Exception {
        try (var clerk = new WorkerProcess(AgentWorker.class, file(), 0);
                var lawyer = new WorkerProcess(AgentWorker.class, file(), 1)) {
            clerk.tell("own " + SESSIONS);
            lawyer.tell("own " + SESSIONS);
            assertThat(clerk.hear()).isEqualTo("done");
            assertThat(lawyer.hear()).isEqualTo("done");
            clerk.tell("lawyer " + SESSIONS);
            lawyer.tell("clerk " + SESSIONS);
            assertThat(clerk.hear()).isEqualTo("done");
            lawyer.kill();
            try (var again = new WorkerProcess(AgentWorker.class, file(), 1);
                    BelayClient client = Belay.client(JdbcStore.existing(file()))) {
                again.tell("clerk " + SESSIONS);
                assertThat(again.hear()).isEqualTo("done");
                for (String agent : AgentWorker.AGENTS) {
                    for (int n = 0; n < SESSIONS; n++) {
                        for (String input : new String[]{"own", "cross"}) {
                            TurnResult.Ended result = client.session(agent + "-" + n)
                                    .input(input)
                                    .orElseThrow()
                                    .awaitCommit();
                            assertThat(result.text()).as("%s of %s-%d", input, agent, n)
                                    .isEqualTo("done: " + agent);
                        }
                    }
                }
                assertThat(client.stuck()).isEmpty();
                assertThat(client.doubts().open(0, 9)).isEmpty();
            }
        }
    }
}
