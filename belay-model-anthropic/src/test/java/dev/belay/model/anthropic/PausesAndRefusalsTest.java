package dev.belay.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.AnswerDetails.Citation;
import dev.belay.model.http.AnswerDetails.ToolUse;
import dev.belay.testkit.model.SeenRequest;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that pause, that are refused, and that several models have written. */
@Timeout(60)
class PausesAndRefusalsTest {

    private static final String SEARCH = """
            {"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"query":"oslo"}}""";
    private static final String FOUND = """
            {"type":"web_search_tool_result","tool_use_id":"srv_1","content":[{"type":"web_search_result","url":"https://example.org/oslo"}]}""";
    private static final String CITATION = """
            {"type":"web_search_result_location","url":"https://example.org/oslo","title":"Oslo","cited_text":"It rains."}""";
    private static final String CITED = "{\"type\":\"text\",\"text\":\"Rain.\",\"citations\":[" + CITATION
            + "]}";
    private static final String PAUSED = """
            {"id":"msg_1","type":"message","role":"assistant","model":"claude-x","stop_reason":"pause_turn",
             "usage":{"input_tokens":10,"output_tokens":3},"container":{"id":"box"},
             "content":[{"type":"text","text":"Let me look. "},""" + SEARCH + "]}";
    private static final String ENDED = """
            {"id":"msg_2","type":"message","role":"assistant","model":"claude-x","stop_reason":"tool_use",
             "usage":{"input_tokens":40,"output_tokens":5},
             "content":[""" + FOUND + "," + CITED + """
            ,{"type":"tool_use","id":"toolu_1","name":"find","input":{"q":1}}]}""";

    private final WireServer server = WireServer.start();
    private final List<ModelEvent> heard = new ArrayList<>();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anAnswerThatPausesGoesOnAndIsOneAnswer() {
        for (boolean streaming : List.of(true, false)) {
            heard.clear();
            server.play(streaming ? streamed(PAUSED) : WireAnswer.json(PAUSED));
            server.play(streaming ? streamed(ENDED) : WireAnswer.json(ENDED));
            ModelResponse response = ask(streaming);
            assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
            assertThat(response.text()).isEqualTo("Let me look. Rain.");
            assertThat(response.calls()).containsExactly(new CallPart("toolu_1", "find", "{\"q\":1}"));
            assertThat(response.responseId()).isEqualTo("msg_1");
            assertThat(response.usage()).as("both parts are paid").isEqualTo(Usage.of(50, 8));
            assertThat(heard).filteredOn(Started.class::isInstance).hasSize(1);
            assertThat(heard).filteredOn(Finished.class::isInstance).hasSize(1);
            assertThat(ResponseReducer.reduce(heard)).isEqualTo(response);
            assertThat(blocks(response)).isEqualTo(Json.of("[{\"type\":\"text\",\"text\":\"Let me look. \"},"
                    + SEARCH
                    + "," + FOUND + "," + CITED
                    + ",{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"find\",\"input\":{\"q\":1}}]"));
        }
    }

    @Test
    void theNextRequestCarriesWhatHasArrivedAndTheTools() {
        server.play(streamed(PAUSED));
        server.play(streamed(ENDED));
        ask(true);
        List<SeenRequest> seen = server.requests();
        assertThat(seen).hasSize(2);
        Json next = seen.get(1).json();
        assertThat(next.at("/messages/1")).contains(Json.of(
                "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Let me look. \"},"
                        + SEARCH + "]}"));
        assertThat(next.get("tools")).isEqualTo(seen.get(0).json().get("tools")).isPresent();
        assertThat(next.get("container")).contains(Json.string("box"));
    }

    @Test
    void anAnswerThatOnlyPausesEndsAtABoundAndIsNotAskedAgain() {
        server.playAlways(WireAnswer.json(PAUSED));
        ModelException failure = catchThrowableOfType(ModelException.class, () -> ask(false));
        assertThat(failure).hasMessageContaining("more than 10 pauses in one answer");
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.usage()).isEqualTo(Usage.of(110, 33));
        assertThat(server.requests()).hasSize(11);
    }

    @Test
    void aFaultBehindAPauseKeepsWhatHasArrived() {
        server.play(streamed(PAUSED));
        server.playAlways(WireAnswer.of(529, "application/json",
                "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"));
        ModelException failure = catchThrowableOfType(ModelException.class, () -> ask(true));
        assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
        assertThat(failure.partial().orElseThrow().text()).isEqualTo("Let me look. ");
    }

    @Test
    void usesOfToolsAndCitationsAreVisible() {
        server.play(streamed(PAUSED));
        server.play(streamed(ENDED));
        assertThat(AnthropicModel.details(ask(true).message())).isEqualTo(new AnswerDetails(
                List.of(new ToolUse("web_search", "srv_1", List.of(Json.of(SEARCH), Json.of(FOUND)))),
                List.of(new Citation("https://example.org/oslo", "Oslo", "It rains.", Json.of(CITATION))), "",
                Map.of()));
    }

    @Test
    void aRefusalKeepsItsCategoryAndExplanation() {
        String refused = """
                {"id":"msg_1","type":"message","role":"assistant","model":"claude-x","stop_reason":"refusal","content":[],
                 "stop_details":{"type":"refusal","category":"cyber","explanation":"It could do harm."},"usage":{}}""";
        for (WireAnswer answer : List.of(streamed(refused), WireAnswer.json(refused))) {
            server.play(answer);
            ModelResponse response = ask(true);
            assertThat(response.finish()).isEqualTo(FinishReason.REFUSAL);
            assertThat(response.declined()).contains("cyber: It could do harm.");
            assertThat(AnthropicModel.details(response.message()).refusalCategory()).isEqualTo("cyber");
        }
    }

    @Test
    void whatIsSaidAboutARefusalIsNoWordOfTheModelInHistory() {
        server.play(WireAnswer
                .json("""
                        {"id":"msg_1","type":"message","role":"assistant","model":"claude-x","stop_reason":"refusal","content":[],
                         "usage":{}}"""));
        ModelResponse response = ask(true);
        Message kept = response.message().declining(response.declined().orElseThrow());
        server.play(WireAnswer.json(ENDED));
        model(true).complete(ModelRequest.of(Message.user("Hi"), kept, Message.user("And?")));
        assertThat(server.requests().getLast().body()).doesNotContain("filtered").doesNotContain("assistant");
    }

    @Test
    void theCostOfEachModelIsVisible() {
        server.play(WireAnswer
                .json("""
                        {"id":"msg_1","type":"message","role":"assistant","model":"claude-x","stop_reason":"end_turn",
                         "content":[{"type":"text","text":"Hi"}],"usage":{"input_tokens":10,"output_tokens":4,"iterations":[
                          {"type":"message","model":"claude-x","input_tokens":10,"output_tokens":4},
                          {"type":"advisor_message","model":"claude-big","input_tokens":100,"cache_read_input_tokens":20,"output_tokens":7},
                          {"type":"message","model":"claude-x","input_tokens":12,"output_tokens":1}]}}"""));
        ModelResponse response = ask(true);
        assertThat(AnthropicModel.details(response.message()).usageByModel()).isEqualTo(Map.of("claude-x",
                Usage.of(22, 5), "claude-big", Usage.of(120, 7).withCacheRead(20)));
        assertThat(response.usage()).isEqualTo(Usage.of(142, 12).withCacheRead(20));
    }

    private static Json blocks(ModelResponse response) {
        return Objects.requireNonNull(response.message().nativePayload())
                .payload()
                .get("content")
                .orElseThrow();
    }

    /** A whole answer as a stream: each block arrives with its start. */
    private static WireAnswer streamed(String whole) {
        Json message = Json.of(whole);
        List<String> events = new ArrayList<>();
        events.add("{\"type\":\"message_start\",\"message\":{\"id\":" + message.get("id").orElseThrow()
                + ",\"model\":\"claude-x\",\"content\":[],\"usage\":{}}}");
        List<Json> content = message.get("content").orElseThrow().items();
        for (int i = 0; i < content.size(); i++) {
            events.add("{\"type\":\"content_block_start\",\"index\":" + i + ",\"content_block\":"
                    + content.get(i) + "}");
            events.add("{\"type\":\"content_block_stop\",\"index\":" + i + "}");
        }
        Json delta = Json.write(out -> {
            out.beginObject();
            for (String name : Arrays.asList("stop_reason", "stop_details", "container")) {
                message.get(name).ifPresent(value -> out.name(name).value(value));
            }
            out.endObject();
        });
        events.add("{\"type\":\"message_delta\",\"delta\":" + delta + ",\"usage\":"
                + message.get("usage").orElseThrow()
                + "}");
        events.add("{\"type\":\"message_stop\"}");
        return WireAnswer.stream(events.stream().map(event -> MessagesStream.event(Json.of(event))).toList());
    }

    private ModelResponse ask(boolean streaming) {
        ModelRequest request = ModelRequest.builder(List.of(Message.user("Hi")))
                .tools(List.of(new ToolSpec("find", "", Json.of("{\"type\":\"object\"}"))))
                .build();
        return model(streaming).complete(request, heard::add);
    }

    private AnthropicModel model(boolean streaming) {
        return AnthropicModel.builder("claude-x")
                .baseUrl(server.url().toString())
                .streaming(streaming)
                .providerTools(Json.of("{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}"))
                .build();
    }
}
