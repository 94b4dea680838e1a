package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.store.memory.SharedMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions of servers of 2025-11-25, which hold the connection, answered by another program on the store. */
@Timeout(60)
class McpPeopleTest {

    private final SharedMemory memory = new SharedMemory();
    private final ScriptedModel model = new ScriptedModel();
    private final McpServers servers = new McpServers();
    private Belay belay;
    private BelayClient desk;

    @BeforeEach
    void open() {
        belay = Belay.builder()
                .model(model)
                .store(memory.open())
                .plugin(servers)
                .process(McpPeople.PROCESS, McpPeople::ask)
                .build();
        desk = Belay.client(memory.existing());
    }

    @AfterEach
    void close() {
        desk.close();
        belay.close();
    }

    private CompletableFuture<String> asked(Duration open, String... how) throws InterruptedException {
        servers.answering(new McpPeople(belay, open))
                .attach(McpServer.program("shop", ScriptedServer.command(how)));
        assertThat(servers.await(Duration.ofSeconds(30))).isTrue();
        model.call("mcp__shop__ask", "{}").reply("Done.");
        return CompletableFuture.supplyAsync(() -> {
            try {
                belay.session("s").turn("ask").run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return model.requests().getLast().messages().getLast().toString();
        }, task -> Thread.ofVirtual().start(task));
    }

    private PendingWait question() {
        while (true) {
            List<PendingWait> waits = desk.pending(null, 9).items();
            if (!waits.isEmpty()) {
                return waits.getFirst();
            }
            Thread.onSpinWait();
        }
    }

    private Delivery answer(PendingWait wait, String answer) {
        return desk.resolve(desk.reissue(wait.keyId()).token(), Resolution.ok(Json.of(answer)));
    }

    @Test
    void anotherProgramAnswersWhileTheCallHoldsItsConnection() throws Exception {
        CompletableFuture<String> read = asked(Duration.ofMinutes(5));
        PendingWait wait = question();
        assertThat(wait.announcement()).contains("MCP server shop", "Which shelf?");
        assertThat(answer(wait, "{\"action\":\"accept\",\"content\":{\"shelf\":\"high\"}}"))
                .isInstanceOf(Delivery.Refused.class);
        assertThat(read).isNotDone();
        answer(wait, "{\"action\":\"accept\",\"content\":{\"shelf\":4}}");
        assertThat(read.join()).contains("accept", "'shelf':4", "'side':'left'");
    }

    @Test
    void aPersonDeclines() throws Exception {
        CompletableFuture<String> read = asked(Duration.ofMinutes(5));
        answer(question(), "{\"action\":\"decline\"}");
        assertThat(read.join()).contains("{'action':'decline'}");
    }

    @Test
    void withoutAnAnswerInTimeTheUserDoesNotDecide() throws Exception {
        assertThat(asked(Duration.ofMillis(50)).join()).contains("{'action':'cancel'}");
        assertThat(desk.pending(null, 9).items()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"withdraw", "die-asking"})
    void aQuestionThatNoServerWaitsForIsWithdrawn(String how) throws Exception {
        CompletableFuture<String> read = asked(Duration.ofMinutes(5), how);
        assertThat(read.join()).contains(how.equals("withdraw") ? "'cancel'" : "mcp_connection_lost");
        while (!desk.pending(null, 9).items().isEmpty()) {
            Thread.onSpinWait();
        }
        if (how.equals("die-asking")) {
            assertThat(desk.doubts().open(0, 9)).hasSize(1);
        }
    }
}
