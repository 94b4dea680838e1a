package dev.belay.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.Usage;
import dev.belay.testkit.model.ClientSetup;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks, beyond the contract, what only Anthropic sends, and N.12 for signatures, hidden thoughts and unknown blocks. */
class MessagesReaderTest {

    private static final ModelRequest GO = ModelRequest.of(Message.user("go"));
    private static final String START = """
            {"type":"message_start","message":{"id":"msg_1","model":"claude-x","content":[],"usage":{"input_tokens":5,\
            "cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":1}}}""";
    private static final String STOP = "{\"type\":\"message_stop\"}";

    private final WireServer server = WireServer.start();
    private final List<ModelEvent> heard = new ArrayList<>();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyBlockIsKeptAsItCame() {
        ModelResponse response = hear(START,
                start(0, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"),
                delta(0, "{\"type\":\"thinking_delta\",\"thinking\":\"so \"}"),
                delta(0, "{\"type\":\"thinking_delta\",\"thinking\":\"then\"}"),
                delta(0, "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}"), end(0),
                start(1, "{\"type\":\"redacted_thinking\",\"data\":\"b3BhcXVl\"}"), end(1),
                start(2, "{\"type\":\"text\",\"text\":\"\",\"citations\":[]}"),
                delta(2, "{\"type\":\"text_delta\",\"text\":\"See \"}"),
                delta(2, "{\"type\":\"citations_delta\",\"citation\":{\"type\":\"page_location\",\"page\":3}}"),
                delta(2, "{\"type\":\"text_delta\",\"text\":\"there\"}"), end(2),
                start(3, "{\"type\":\"server_tool_use\",\"id\":\"srv_1\",\"name\":\"web_search\",\"input\":{}}"),
                delta(3, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"q\\\":1}\"}"), end(3),
                start(4, "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srv_1\",\"content\":[{\"url\":\"u\"}]}"),
                end(4),
                start(5, "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"find\",\"input\":{}}"),
                delta(5, "{\"type\":\"input_json_delta\",\"partial_json\":\"\"}"),
                delta(5, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"q\\\": 1\"}"),
                delta(5, "{\"type\":\"input_json_delta\",\"partial_json\":\".0}\"}"), end(5),
                stop("tool_use", "{\"output_tokens\":42}"), STOP);
        assertThat(response.message().parts()).containsExactly(new ReasoningPart("so then"),
                new TextPart("See there"),
                new CallPart("toolu_1", "find", "{\"q\": 1.0}"));
        assertThat(payload(response)).isEqualTo(Json.of("""
                [{"type":"thinking","thinking":"so then","signature":"c2ln"},
                 {"type":"redacted_thinking","data":"b3BhcXVl"},
                 {"type":"text","text":"See there","citations":[{"type":"page_location","page":3}]},
                 {"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"q":1}},
                 {"type":"web_search_tool_result","tool_use_id":"srv_1","content":[{"url":"u"}]},
                 {"type":"tool_use","id":"toolu_1","name":"find","input":{"q":1.0}}]"""));
        assertThat(payload(response).text()).contains("{\"q\": 1.0}");
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(response.usage())
                .isEqualTo(Usage.of(325, 42).withCacheRead(300).withCacheWrite(20));
    }

    @Test
    void hiddenThoughtsAloneStillGoBack() {
        ModelResponse response = hear(START, start(0, "{\"type\":\"redacted_thinking\",\"data\":\"x\"}"),
                end(0),
                stop("end_turn", "{}"), STOP);
        assertThat(response.message().parts()).isEmpty();
        assertThat(payload(response)).isEqualTo(Json.of("[{\"type\":\"redacted_thinking\",\"data\":\"x\"}]"));
    }

    @Test
    void aCallWithoutArgumentsHasNone() {
        assertThat(hear(START, start(0, "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}"),
                end(0),
                stop("tool_use", "{}"), STOP).calls()).containsExactly(new CallPart("t", "f", "{}"));
    }

    @Test
    void aCallCutBeforeItsArgumentsIsNotOneWithoutThem() {
        assertThat(hear(START, start(0, "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}"),
                stop("max_tokens", "{}"), STOP).calls()).containsExactly(new CallPart("t", "f", ""));
    }

    @Test
    void argumentsThatCameWithTheBlockCount() {
        assertThat(hear(START,
                start(0, "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{\"a\": 1}}"), end(0),
                stop("tool_use", "{}"), STOP).calls()).containsExactly(new CallPart("t", "f", "{\"a\": 1}"));
    }

    @Test
    void argumentsThatAreCutGoBackAsText() {
        ModelResponse response = hear(START,
                start(0, "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}"),
                delta(0, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\": \\\"b\"}"),
                stop("max_tokens", "{}"), STOP);
        assertThat(response.calls()).containsExactly(new CallPart("t", "f", "{\"a\": \"b"));
        assertThat(payload(response).at("/0/input"))
                .contains(Json.of("{\"INVALID_JSON\":\"{\\\"a\\\": \\\"b\"}"));
    }

    @Test
    void emptyTextIsNotSentBack() {
        ModelResponse response = hear(START, start(0, "{\"type\":\"text\",\"text\":\"\"}"), end(0),
                stop("end_turn", "{}"), STOP);
        assertThat(response.message().nativePayload()).isNull();
    }

    @Test
    void everyReasonIsKnown() {
        assertThat(hear(START, stop("stop_sequence", "{}"), STOP).finish()).isEqualTo(FinishReason.STOP);
        assertThat(hear(START, stop("model_context_window_exceeded", "{}"), STOP).finish())
                .isEqualTo(FinishReason.LENGTH);
        assertThat(hear(START, stop("something_new", "{}"), STOP).finish()).isEqualTo(FinishReason.OTHER);
    }

    @Test
    void aStreamThatSaidWhyItStoppedIsWholeWithoutItsLastEvent() {
        assertThat(
                hear(START, start(0, "{\"type\":\"text\",\"text\":\"hi\"}"), stop("end_turn", "{}")).text())
                .isEqualTo("hi");
    }

    @Test
    void whatIsNewIsSkipped() {
        assertThat(hear(START, start(0, "{\"type\":\"hologram\",\"rays\":[]}"),
                delta(0, "{\"type\":\"ray_delta\",\"ray\":1}"),
                start(1, "{\"type\":\"text\",\"text\":\"hi\"}"),
                stop("end_turn", "{\"input_tokens\":null,\"holograms\":1}"), STOP).text()).isEqualTo("hi");
    }

    @Test
    void aBlockThatNeverBeganOrBeginsTwiceBreaksTheProtocol() {
        assertThat(fail(START, delta(3, "{\"type\":\"text_delta\",\"text\":\"x\"}")))
                .hasMessageContaining("a piece of block 3, which never began");
        assertThat(fail(START, start(0, "{\"type\":\"text\",\"text\":\"a\"}"),
                start(0, "{\"type\":\"text\",\"text\":\"b\"}")))
                .hasMessageContaining("two blocks with the number 0");
        assertThat(fail(START, "{\"type\":\"content_block_delta\",\"delta\":{}}"))
                .hasMessageContaining("without its number");
    }

    @Test
    void anErrorEventSaysItsKind() {
        ModelException error = fail(START,
                "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow down\"}}");
        assertThat(error.kind()).isEqualTo(ModelException.Kind.RATE_LIMITED);
        assertThat(error).hasMessageContaining("slow down");
        assertThat(error.usage().cacheRead()).hasValue(300);
    }

    @Test
    void blocksAndStopReasonOfTheFirstEventCount() {
        String first = """
                {"type":"message_start","message":{"id":"msg_1","model":"claude-x","stop_reason":"tool_use","usage":{},"content":[\
                {"type":"text","text":"Look:"},{"type":"tool_use","id":"t","name":"f","input":{"a": 1}}]}}""";
        ModelResponse response = hear(first, STOP);
        assertThat(response.message().parts()).containsExactly(new TextPart("Look:"),
                new CallPart("t", "f", "{\"a\": 1}"));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(payload(response).items()).hasSize(2);
        assertThat(hear(first)).as("without its last event").isEqualTo(response);
        assertThat(hear(first, start(2, "{\"type\":\"text\",\"text\":\"more\"}"), STOP).text())
                .isEqualTo("Look:more");
        assertThat(hear(first, start(0, "{\"type\":\"text\",\"text\":\"\"}"),
                delta(0, "{\"type\":\"text_delta\",\"text\":\"streamed\"}"), STOP).message().parts())
                .containsExactly(new TextPart("streamed"), new CallPart("t", "f", "{\"a\": 1}"));
    }

    @Test
    void aStopReasonOfTheFirstEventDoesNotMakeACutStreamWhole() {
        String first = START.replace("\"content\":[]", "\"content\":[],\"stop_reason\":\"end_turn\"");
        assertThat(fail(first).kind()).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(fail(first, start(0, "{\"type\":\"text\",\"text\":\"Hal\"}")).partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    @Test
    void theFirstEventMayComeTwice() {
        assertThat(hear(START, START, start(0, "{\"type\":\"text\",\"text\":\"hi\"}"),
                stop("end_turn", "{}"), STOP).text()).isEqualTo("hi");
        assertThat(fail(START, START.replace("msg_1", "msg_2")))
                .hasMessageContaining("the start of answer \"msg_2\" inside answer \"msg_1\"");
    }

    @Test
    void deltasOfUnknownBlocksGoBack() {
        ModelResponse response = hear(START,
                start(0, "{\"type\":\"compaction\",\"content\":null,\"encrypted_content\":null}"),
                delta(0, "{\"type\":\"compaction_delta\",\"content\":\"So \",\"encrypted_content\":\"a\"}"),
                delta(0, "{\"type\":\"compaction_delta\",\"content\":\"far.\",\"encrypted_content\":\"b\"}"),
                start(1, "{\"type\":\"hologram\",\"rays\":[1],\"text\":\"a\"}"),
                delta(1, "{\"type\":\"ray_delta\",\"rays\":[2],\"power\":7}"),
                delta(1, "{\"type\":\"text_delta\",\"text\":\"b\"}"),
                start(2, "{\"type\":\"text\",\"text\":\"hi\"}"), stop("end_turn", "{}"), STOP);
        assertThat(payload(response)).isEqualTo(Json.of("""
                [{"type":"compaction","content":"So far.","encrypted_content":"b"},
                 {"type":"hologram","rays":[1,2],"text":"ab","power":7},{"type":"text","text":"hi"}]"""));
    }

    @Test
    void theContainerIsKeptForTheNextRequest() {
        Json container = Json.of("{\"id\":\"container_1\",\"expires_at\":\"2026-11-16T10:00:00Z\"}");
        ModelResponse response = hear(START, start(0, "{\"type\":\"text\",\"text\":\"hi\"}"),
                "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"container\":"
                        + container
                        + "},\"usage\":{}}",
                STOP);
        NativePayload payload = Objects.requireNonNull(response.message().nativePayload());
        assertThat(payload.payload().get("container")).contains(container);
    }

    @Test
    void thoughtsAndIterationsAreCounted() {
        assertThat(hear(START, stop("end_turn", """
                {"output_tokens":42,"output_tokens_details":{"thinking_tokens":30}}"""), STOP).usage())
                .isEqualTo(Usage.of(325, 42).withCacheRead(300).withCacheWrite(20).withReasoning(30));
        assertThat(hear(START, stop("end_turn",
                """
                        {"input_tokens":23000,"output_tokens":1000,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"iterations":[\
                          {"type":"compaction","input_tokens":180000,"output_tokens":3500},\
                          {"type":"message","input_tokens":23000,"output_tokens":1000,"cache_read_input_tokens":7}]}"""),
                STOP).usage())
                .isEqualTo(Usage.of(203_007, 4_500).withCacheRead(7).withCacheWrite(0));
    }

    @Test
    void countsThatAreNoneAreNotReported() {
        assertThat(hear(START.replace("5", "-1").replace("300", "9223372036854775807"),
                start(0, "{\"type\":\"text\",\"text\":\"hi\"}"),
                stop("end_turn", "{\"output_tokens\":1.5}"), STOP).usage().input()).isEmpty();
        assertThat(hear(START.replace("300", "9223372036854775807"), stop("end_turn", "{}"), STOP).usage()
                .input())
                .hasValue(Long.MAX_VALUE);
    }

    @Test
    void numbersOfBlocksThatAreNoneBreakTheProtocol() {
        for (String number : List.of("-1", "2147483647", "1e99", "1.5", "\"0\"")) {
            ModelException error = fail(START, start(0, "{\"type\":\"text\",\"text\":\"hi\"}"),
                    delta(0, "{\"type\":\"text_delta\",\"text\":\"x\"}").replace(":0", ":" + number));
            assertThat(error.kind()).as(number).isEqualTo(ModelException.Kind.PROTOCOL);
            assertThat(error.partial()).as(number)
                    .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("hi"));
        }
    }

    @Test
    void emptyDataAndAMarkAtTheEndAreNoFaults() {
        server.play(WireAnswer.stream(List.of("data:\n\n", "event: ping\ndata: \n\n",
                MessagesStream.event(Json.of(START)), "data:\n\n",
                MessagesStream.event(Json.of(start(0, "{\"type\":\"text\",\"text\":\"hi\"}"))),
                MessagesStream.event(Json.of(stop("end_turn", "{}"))), "data: [DONE]\n\n")));
        assertThat(ask().text()).isEqualTo("hi");
        server.play(WireAnswer.stream(List.of(MessagesStream.event(Json.of(START)), "data: [DONE]\n\n")));
        assertThat(catchThrowableOfType(ModelException.class, this::ask).kind())
                .isEqualTo(ModelException.Kind.PROTOCOL);
    }

    @Test
    void theEndWithoutAStopReasonIsAFault() {
        assertThat(fail(START, start(0, "{\"type\":\"text\",\"text\":\"hi\"}"), STOP).partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("hi"));
        server.play(WireAnswer.json(
                "{\"id\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"stop_reason\":null}"));
        assertThat(catchThrowableOfType(ModelException.class, this::ask).partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("hi"));
    }

    @Test
    void anyOtherJsonIsNoAnswer() {
        for (String body : List.of("{}", "{\"detail\":\"zebra\"}", "{\"message\":\"zebra\"}",
                "{\"object\":\"error\",\"message\":\"zebra\"}", "[{\"error\":{\"message\":\"zebra\"}}]", "[]",
                "{\"zebra\":1}")) {
            server.play(WireAnswer.json(body));
            ModelException error = catchThrowableOfType(ModelException.class, this::ask);
            assertThat(error).as(body)
                    .isNotNull()
                    .hasMessageContaining(body.contains("zebra") ? "zebra" : body);
            assertThat(error.partial()).as(body).isEmpty();
        }
    }

    @Test
    void aStreamThatIsCutBeforeItsStopReasonIsNoAnswer() {
        String early = START.replace("\"content\":[]", "\"content\":[],\"stop_reason\":\"end_turn\"");
        String usage = "{\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":3}}";
        String text = start(0, "{\"type\":\"text\",\"text\":\"Hal\"}");

        assertThat(fail(early, text, usage).partial()).isPresent();
        for (String word : List.of("null", "NULL", "None", " ")) {
            assertThat(fail(START, text, stop(word, "{}")).partial()).isPresent();
        }
        assertThat(hear(START, text, stop("end_turn", "{}"), usage).finish()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void aCharacterThatIsSplitOverTwoDeltasIsOne() {
        ModelResponse response = hear(START, start(0, "{\"type\":\"text\",\"text\":\"\"}"),
                start(1, "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}"),
                delta(0, "{\"type\":\"text_delta\",\"text\":\"a\\ud83d\"}"),
                delta(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"q\\\":\\\"\\uD83D\"}"),
                delta(0, "{\"type\":\"text_delta\",\"text\":\"\\ude00b\\ud83d\"}"),
                delta(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"\\uDE00\\\"}\"}"),
                stop("tool_use", "{}"), STOP);
        assertThat(response.text()).isEqualTo("a\ud83d\ude00b\ufffd");
        assertThat(response.calls()).containsExactly(new CallPart("t", "f", "{\"q\":\"\ud83d\ude00\"}"));
        assertThat(payload(response)).isEqualTo(Json.of("""
                [{"type":"text","text":"a\ud83d\ude00b\ufffd"},
                 {"type":"tool_use","id":"t","name":"f","input":{"q":"\ud83d\ude00"}}]"""));
        assertThat(heard).filteredOn(ModelEvent.TextDelta.class::isInstance)
                .containsExactly(new ModelEvent.TextDelta("a"), new ModelEvent.TextDelta("\ud83d\ude00b"),
                        new ModelEvent.TextDelta("\ufffd"));
    }

    @Test
    void whatHasNotTheShapeOfAnAnswerIsAFailure() {
        for (String content : List.of("[7]", "[{}]", "[\"hi\"]", "\"hi\"", "{}", "7")) {
            server.play(WireAnswer
                    .json("{\"id\":\"m\",\"stop_reason\":\"end_turn\",\"content\":" + content + "}"));
            ModelException error = catchThrowableOfType(ModelException.class, this::ask);
            assertThat(error).as(content).isNotNull();
            assertThat(error.kind()).as(content).isEqualTo(ModelException.Kind.PROTOCOL);
        }
        assertThat(fail(START, start(0, "7"), stop("end_turn", "{}"), STOP).kind())
                .isEqualTo(ModelException.Kind.PROTOCOL);
    }

    private ModelResponse ask() {
        return new MessagesFixture().model(ClientSetup.of(server.url())).complete(GO);
    }

    private ModelResponse hear(String... events) {
        server.play(WireAnswer.stream(Arrays.stream(events).map(MessagesReaderTest::event).toList()));
        heard.clear();
        ModelResponse response = new MessagesFixture().model(ClientSetup.of(server.url()))
                .complete(GO, heard::add);
        assertThat(ResponseReducer.reduce(heard)).isEqualTo(response);
        return response;
    }

    private ModelException fail(String... events) {
        ModelException error = catchThrowableOfType(ModelException.class, () -> hear(events));
        assertThat(error).isNotNull();
        return error;
    }

    private static Json payload(ModelResponse response) {
        NativePayload payload = Objects.requireNonNull(response.message().nativePayload());
        assertThat(payload.provider()).isEqualTo("anthropic-messages");
        return payload.payload().get("content").orElseThrow();
    }

    /** Written by hand: Json would refuse half a character. */
    private static String event(String data) {
        return "data: " + data + "\n\n";
    }

    private static String start(int index, String block) {
        return "{\"type\":\"content_block_start\",\"index\":" + index + ",\"content_block\":" + block + "}";
    }

    private static String delta(int index, String delta) {
        return "{\"type\":\"content_block_delta\",\"index\":" + index + ",\"delta\":" + delta + "}";
    }

    private static String end(int index) {
        return "{\"type\":\"content_block_stop\",\"index\":" + index + "}";
    }

    private static String stop(String reason, String usage) {
        return "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" + reason + "\"},\"usage\":" + usage
                + "}";
    }
}
