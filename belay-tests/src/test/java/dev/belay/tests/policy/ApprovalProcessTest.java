package dev.belay.tests.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.kill.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract I.3, I.4, I.7: a worker asks and is killed, another process decides, and a second worker goes on. */
class ApprovalProcessTest {

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("belay.db");
    }

    private static String say(WorkerProcess process, String line) throws IOException {
        process.tell(line);
        return process.hear();
    }

    @Test
    @Timeout(180)
    void threeProcessesApproveEditAndDeny() throws Exception {
        List<String> sessions = List.of("once", "edit", "deny");
        try (var first = new WorkerProcess(ApprovalProcess.class, file(), ApprovalProcess.WORKS);
                var person = new WorkerProcess(ApprovalProcess.class, file(), ApprovalProcess.DECIDES)) {
            for (String session : sessions) {
                assertThat(say(person, "submit " + session)).isEqualTo("in");
                assertThat(say(person, "asked " + session)).isEqualTo("refunds 250");
            }
            first.kill();
            for (String session : sessions) {
                assertThat(say(person, session + " " + session)).isEqualTo("Done[]");
            }
            try (var second = new WorkerProcess(ApprovalProcess.class, file(), ApprovalProcess.WORKS)) {
                assertThat(say(person, "await once")).isEqualTo("done: refunded 250");
                assertThat(say(person, "await edit")).isEqualTo("done: refunded 90");
                assertThat(say(person, "await deny"))
                        .isEqualTo("done: Rejected: a person has denied this call: not today");
                second.kill();
            }
            try (var third = new WorkerProcess(ApprovalProcess.class, file(), ApprovalProcess.WORKS)) {
                assertThat(say(person, "submit other")).isEqualTo("in");
                assertThat(say(person, "asked other")).as("it works, and has nothing else to do")
                        .isEqualTo("refunds 250");
                third.kill();
            }
        }
        assertThat(Files.readAllLines(folder.resolve("refunds")))
                .as("each runs once, and the denied one never")
                .containsExactlyInAnyOrder("{\"amount\":250}", "{\"amount\":90}");
    }
}
