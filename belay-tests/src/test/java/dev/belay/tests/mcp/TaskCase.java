package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.session.SessionBench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A runtime with a server that has tasks and questions, and what its tests do again and again. */
abstract class TaskCase {

    static final Duration LONG = Duration.ofSeconds(60);

    final TaskServer server = server();
    final SharedMemory records = new SharedMemory();

    @TempDir
    Path folder;

    private static TaskServer server() {
        try {
            return new TaskServer();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    static Model calling(String tool) {
        return SessionBench.model(request -> SessionBench.roundsSinceUser(request) == 0
                ? SessionBench.calls(List.of(new CallPart("c", "mcp__works__" + tool, "{}")))
                : SessionBench.text("done: " + SessionBench.lastReplies(request)));
    }

    static McpServers attached(McpServer described) throws InterruptedException {
        McpServers servers = McpServers.of(described);
        assertThat(servers.await(LONG)).as("%s", servers.list()).isTrue();
        return servers;
    }

    Belay open(String tool, McpServer described) throws InterruptedException {
        return open(tool, described, JournalProbe.NONE);
    }

    Belay open(String tool, McpServer described, JournalProbe probe) throws InterruptedException {
        return builder(tool, attached(described), probe);
    }

    Belay builder(String tool, McpServers servers, JournalProbe probe) {
        return Belay.builder()
                .model(calling(tool))
                .plugin(servers)
                .store(records.open(probe))
                .parkAfter(Duration.ZERO)
                .drain(Duration.ZERO)
                .build();
    }

    String run(String tool, McpServer described) throws InterruptedException {
        try (Belay belay = open(tool, described)) {
            return belay.session("s").turn("Go.").run().ended().text();
        }
    }

    /** The only wait, once it is there. */
    static PendingWait waiting(Belay belay) throws InterruptedException {
        while (true) {
            List<PendingWait> open = belay.pending(null, 10).items();
            if (!open.isEmpty()) {
                return open.getFirst();
            }
            TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
        }
    }

    static Delivery answer(Belay belay, PendingWait wait, String answer) {
        return belay.resolve(belay.reissue(wait.keyId()).token(), Resolution.ok(Json.of(answer)));
    }

    void leaveATask() throws InterruptedException {
        try (Belay first = builder("build", kept(), JournalProbe.NONE)) {
            first.session("s").turn("Go.").id("go").submit();
            while (server.heard("tasks/get") < 2) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
    }

    /** Servers whose tools are kept in a file for the next process. */
    McpServers kept() throws InterruptedException {
        var servers = new McpServers(McpPins.file(folder.resolve("tools.json"))).attach(server.described());
        servers.awaitFirstTry(LONG); // one that is away is not waited for
        return servers;
    }

    /** The next process has tried to reach the server so often. */
    void tried(int times) throws InterruptedException {
        long before = server.heard("server/discover");
        while (server.heard("server/discover") < before + times) {
            TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
        }
    }
}
