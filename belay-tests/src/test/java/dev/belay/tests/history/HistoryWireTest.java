package dev.belay.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.anthropic.AnthropicModel;
import dev.belay.model.openai.OpenAiApi;
import dev.belay.model.openai.OpenAiModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.model.SeenRequest;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract O.9 on the wire: signed thoughts, encrypted reasoning and containers across compactions, and a beginning that changes with
 * compactions alone.
 */
class HistoryWireTest {

    private static final int TURNS = 67;
    private static final int CALLS = 2;
    private static final int CONTEXT = 10_000;

    @TempDir
    Path folder;

    /** How many compactions there were. The session is kept in a file, and another runtime goes on in its middle. */
    private int played(Model model) throws InterruptedException {
        int steps = 0;
        for (int half = 0; half < 2; half++) {
            try (Belay belay = Belay.builder()
                    .model(model)
                    .tools(HistoryBench.look(1))
                    .maxContextTokens(CONTEXT)
                    .store(JdbcStore.sqlite(folder.resolve("s.db")))
                    .build()) {
                for (int i = half * TURNS / 2; i < (half + 1) * TURNS / 2; i++) {
                    var result = belay.session("s").turn("Question " + i).run();
                    assertThat(result.ended()).as(result.toString()).isInstanceOf(TurnResult.Finished.class);
                }
                steps = belay.session("s").history().size();
            }
        }
        return steps;
    }

    private static void prepare(WireServer server, Function<SeenRequest, String> answer) {
        for (int i = 0; i < TURNS * (CALLS + 3); i++) {
            server.play(seen -> WireAnswer.json(answer.apply(seen)));
        }
    }

    private static boolean isSummary(SeenRequest seen) {
        return seen.body().contains("Summarise a conversation");
    }

    private static List<List<Json>> items(WireServer server, String field) {
        return server.requests()
                .stream()
                .filter(seen -> !isSummary(seen))
                .map(seen -> Json.of(seen.body().replaceAll(",?\"cache_control\":\\{[^}]*}", ""))
                        .get(field)
                        .orElseThrow()
                        .items())
                .toList();
    }

    private static String type(Json item) {
        return item.get("type").map(Json::asString).orElse("");
    }

    private static String text(Json item, String name) {
        return item.get(name).map(Json::asString).orElse("");
    }

    @Test
    void anthropicIsSentSignedThoughtsWholeAndEachCallWithItsResult() throws Exception {
        try (WireServer server = WireServer.start()) {
            prepare(server, HistoryWireTest::anthropic);
            int steps = played(AnthropicModel.builder("claude-x")
                    .baseUrl(server.url().toString())
                    .apiKey("key")
                    .streaming(false)
                    .build());
            List<List<Json>> sent = items(server, "messages");
            assertThat(sent).hasSize(TURNS * (CALLS + 1));
            sent.forEach(HistoryWireTest::requireTakenByAnthropic);
            assertThat(HistoryBench.changedBeginnings(sent)).isEqualTo(steps).isGreaterThan(5);
            assertThat(server.requests().getLast().body()).as("the container that the model works in")
                    .contains("\"container\":\"cont_1\"");
        }
    }

    private static String anthropic(SeenRequest seen) {
        String tail = "\"usage\":{\"input_tokens\":1,\"output_tokens\":1},\"container\":{\"id\":\"cont_1\","
                + "\"expires_at\":\"2099-01-01T00:00:00Z\"}}";
        String head = "{\"id\":\"msg\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-x\",\"content\":[";
        int number = seen.body().hashCode();
        if (isSummary(seen)
                || callsSinceQuestion(Json.of(seen.body()).get("messages").orElseThrow().items()) >= CALLS) {
            return head + "{\"type\":\"text\",\"text\":\"Done.\"}],\"stop_reason\":\"end_turn\"," + tail;
        }
        return head + "{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"sig" + number + "\"},"
                + "{\"type\":\"tool_use\",\"id\":\"toolu_" + Integer.toHexString(number)
                + "\",\"name\":\"look\",\"input\":{}}],\"stop_reason\":\"tool_use\"," + tail;
    }

    private static int callsSinceQuestion(List<Json> messages) {
        int calls = 0;
        for (Json message : messages.reversed()) {
            if (message.text().contains("tool_result")) {
                calls++;
            } else if (text(message, "role").equals("user")) {
                return calls;
            }
        }
        return calls;
    }

    /** The rules by which Anthropic refuses a request. */
    private static void requireTakenByAnthropic(List<Json> messages) {
        assertThat(text(messages.getFirst(), "role")).isEqualTo("user");
        Set<String> open = new HashSet<>();
        for (Json message : messages) {
            List<Json> blocks = message.get("content").orElseThrow().text().startsWith("[")
                    ? message.get("content").orElseThrow().items()
                    : List.of();
            if (text(message, "role").equals("assistant")) {
                assertThat(open).isEmpty();
                for (Json block : blocks) {
                    if (type(block).equals("thinking")) {
                        assertThat(text(block, "signature")).startsWith("sig");
                    }
                    if (type(block).equals("tool_use")) {
                        open.add(text(block, "id"));
                    }
                }
            } else {
                for (Json block : blocks) {
                    if (type(block).equals("tool_result")) {
                        assertThat(open.remove(text(block, "tool_use_id"))).as("a result has its call")
                                .isTrue();
                    }
                }
                assertThat(open).as("each call has its result").isEmpty();
            }
        }
    }

    @Test
    void openAiIsSentEncryptedReasoningWithItsCallAndEachCallWithItsOutput() throws Exception {
        try (WireServer server = WireServer.start()) {
            prepare(server, HistoryWireTest::openAi);
            int steps = played(OpenAiModel.builder("gpt-x")
                    .api(OpenAiApi.RESPONSES)
                    .baseUrl(server.url() + "/v1")
                    .apiKey("key")
                    .streaming(false)
                    .build());
            List<List<Json>> sent = items(server, "input");
            assertThat(sent).hasSize(TURNS * (CALLS + 1));
            sent.forEach(HistoryWireTest::requireTakenByOpenAi);
            assertThat(HistoryBench.changedBeginnings(sent)).isEqualTo(steps).isGreaterThan(5);
        }
    }

    private static String openAi(SeenRequest seen) {
        String head = "{\"id\":\"resp\",\"object\":\"response\",\"status\":\"completed\",\"model\":\"gpt-x\",\"output\":[";
        String tail = "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1,\"total_tokens\":2}}";
        int number = seen.body().hashCode() & 0x7fffffff;
        List<Json> input = Json.of(seen.body()).get("input").orElseThrow().items();
        int calls = 0;
        for (Json item : input.reversed()) {
            if (type(item).equals("function_call_output")) {
                calls++;
            } else if (text(item, "role").equals("user")) {
                break;
            }
        }
        if (isSummary(seen) || calls >= CALLS) {
            return head + "{\"type\":\"message\",\"id\":\"msg_" + number
                    + "\",\"role\":\"assistant\",\"status\":\"completed\","
                    + "\"content\":[{\"type\":\"output_text\",\"text\":\"Done.\",\"annotations\":[]}]}"
                    + tail;
        }
        return head + "{\"type\":\"reasoning\",\"id\":\"rs_" + number
                + "\",\"summary\":[],\"encrypted_content\":\"enc"
                + number + "\"},{\"type\":\"function_call\",\"id\":\"fc_" + number + "\",\"call_id\":\"call_"
                + number
                + "\",\"name\":\"look\",\"arguments\":\"{}\",\"status\":\"completed\"}" + tail;
    }

    /** The rules by which OpenAI refuses a request. */
    private static void requireTakenByOpenAi(List<Json> items) {
        Set<String> open = new HashSet<>();
        List<String> types = new ArrayList<>();
        for (Json item : items) {
            if (!types.isEmpty() && types.getLast().equals("reasoning")) {
                assertThat(type(item)).as("reasoning stands before what it led to")
                        .isEqualTo("function_call");
            }
            switch (type(item)) {
                case "reasoning" -> assertThat(text(item, "encrypted_content")).startsWith("enc");
                case "function_call" -> open.add(text(item, "call_id"));
                case "function_call_output" ->
                    assertThat(open.remove(text(item, "call_id"))).as("an output has its call").isTrue();
                default -> assertThat(open).as("each call has its output").isEmpty();
            }
            types.add(type(item));
        }
        assertThat(open).isEmpty();
        assertThat(types.getLast()).isNotEqualTo("reasoning");
    }
}
