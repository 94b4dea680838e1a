package dev.belay.tests.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpServers;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions of a server park their calls. */
@Timeout(180)
class QuestionsTest extends TaskCase {

    @Test
    void aQuestionWhoseServerIsAwayAfterARestartIsAnsweredWhenItIsBack() throws Exception {
        try (Belay first = builder("confirm", kept(), JournalProbe.NONE)) {
            first.session("s").turn("Go.").id("go").submit();
            waiting(first);
        }
        server.away = true;
        try (Belay next = builder("confirm", kept(), JournalProbe.NONE)) {
            InputHandle input = next.session("s").turn("Go.").id("go").submit();
            answer(next, waiting(next), "{\"action\":\"accept\",\"content\":{\"sure\":true}}");
            tried(2);
            server.away = false;
            assertThat(input.awaitCommit().text()).contains("said accept", "sealed");
            assertThat(next.doubts().open(0, 9)).isEmpty();
        }
    }

    @Test
    void aTaskThatIsRefusedItsQuestionIsCancelledAndInDoubt() throws Exception {
        try (Belay belay = open("asking", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            waiting(belay);
            input.cancel("enough");
            assertThat(input.awaitCommit().doubts()).as("the task had begun").hasSize(1);
            while (server.heard("tasks/cancel") == 0) {
                TimeUnit.MILLISECONDS.sleep(1); // ends if the test takes too long
            }
        }
        assertThat(server.last("tasks/cancel")).contains("asking-1");
    }

    @Test
    void samplingCountsForTheTurnAndHasAnEnd() throws Exception {
        List<String> limits = Collections.synchronizedList(new ArrayList<>());
        Model model = SessionBench.model(request -> {
            limits.add(request.generation().maxOutputTokens().toString());
            return request.tools().isEmpty()
                    ? SessionBench.text("A joke.")
                    : SessionBench.roundsSinceUser(request) == 0
                            ? SessionBench.calls(List.of(
                                    new CallPart("c", "mcp__works__" + request.messages()
                                            .getLast()
                                            .toString()
                                            .replaceAll("(?s).*text=(\\w+).*", "$1"), "{}")))
                            : SessionBench.text("done: " + SessionBench.lastReplies(request));
        });
        McpServers servers = attached(server.described().sampling(McpServer.Sampling.ALLOWED));
        try (Belay belay = Belay.builder().model(model).plugin(servers).store(records.open()).build()) {
            TurnResult.Ended once = belay.session("s").turn("sample").run().ended();
            assertThat(once.text()).contains("the model said A joke.");
            // two questions of the turn (7 and 10 in, 3 and 5 out) and one of the server (10 in, 5 out)
            assertThat(once.usage().input()).hasValue(27);
            assertThat(once.usage().output()).hasValue(13);
            assertThat(limits.get(1)).as("9999 were asked for").isEqualTo("OptionalInt[4096]");
            limits.clear();
            TurnResult.Ended greedy = belay.session("t").turn("greedy").run().ended();
            assertThat(greedy.text()).contains("mcp_sampling_refused", "more than 10 times");
            assertThat(limits).hasSize(12).filteredOn("OptionalInt[50]"::equals).hasSize(10);
        }
    }

    @Test
    void aQuestionOfTheServerParksAndNamesTheServer() throws Exception {
        try (Belay belay = open("confirm", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            PendingWait wait = waiting(belay);
            assertThat(wait.kind()).isEqualTo(PendingWait.Kind.EVENT);
            assertThat(wait.tool()).isEqualTo("mcp__works__confirm");
            assertThat(wait.announcement()).contains("MCP server works", "tool confirm",
                    "Delete all\\u{202E} files?", "\"sure\"");
            assertThat(answer(belay, wait, "{\"action\":\"accept\",\"content\":{\"sure\":\"perhaps\"}}"))
                    .isInstanceOf(Delivery.Refused.class);
            assertThat(answer(belay, wait, "{\"action\":\"accept\",\"content\":{\"sure\":true}}"))
                    .isInstanceOf(Delivery.Accepted.class);
            assertThat(input.awaitCommit().text())
                    .contains("said accept {\\\"sure\\\":true,\\\"why\\\":\\\"none\\\"} sealed"
                            .replace("\\\"", "\""));
        }
    }

    @Test
    void aQuestionOfATaskParksToo() throws Exception {
        try (Belay belay = open("asking", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            answer(belay, waiting(belay),
                    "{\"action\":\"accept\",\"content\":{\"sure\":false,\"why\":\"no\"}}");
            assertThat(input.awaitCommit().text()).contains("answered {\"sure\":false,\"why\":\"no\"}");
        }
        assertThat(server.begun).containsExactly("asking");
    }

    @ParameterizedTest
    @CsvSource({"true, mcp_error", "false, mcp_task_cancelled"})
    void aTaskWithoutAResultIsInDoubtAlsoAfterItHasAsked(boolean refuses, String code) throws Exception {
        server.refuses = refuses;
        server.cancels = true;
        try (Belay belay = open("asking", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            answer(belay, waiting(belay),
                    "{\"action\":\"accept\",\"content\":{\"sure\":true,\"why\":\"\"}}");
            TurnResult.Ended result = input.awaitCommit();
            assertThat(result.text()).contains(code);
            assertThat(result.doubts()).hasSize(1);
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("doubt_unsettled");
        }
        assertThat(server.begun).containsExactly("asking");
    }

    @Test
    void aServerAsksTheModelOnlyAfterAPersonAllowedIt() throws Exception {
        try (Belay belay = open("sample", server.described())) {
            InputHandle input = belay.session("s").turn("Go.").submit();
            PendingWait wait = waiting(belay);
            assertThat(wait.announcement()).contains("MCP server works", "May it ask the model", "A joke?");
            answer(belay, wait, "{\"action\":\"accept\"}");
            assertThat(input.awaitCommit().text()).contains("the model said");
        }
        try (Belay belay = open("sample", server.described())) {
            InputHandle input = belay.session("refused").turn("Go.").submit();
            answer(belay, waiting(belay), "{\"action\":\"decline\"}");
            assertThat(input.awaitCommit().text()).contains("mcp_sampling_refused");
        }
        String allowed = run("sample", server.described().sampling(McpServer.Sampling.ALLOWED));
        assertThat(allowed).contains("the model said");
    }

    @Test
    void onlyWhatCanBeAnsweredIsDeclared() throws Exception {
        run("where", server.described()
                .roots(Path.of("/srv/work"))
                .sampling(McpServer.Sampling.REFUSED));
        assertThat(server.last("tools/call")).contains("\"roots\":{}", "\"elicitation\":{",
                "\"io.modelcontextprotocol/tasks\":{}").doesNotContain("sampling");
        assertThat(server.heard.toString()).contains("file:///srv/work");
        run("build", server.described());
        assertThat(server.last("tools/call")).contains("\"sampling\":{}").doesNotContain("\"roots\"");
    }
}
