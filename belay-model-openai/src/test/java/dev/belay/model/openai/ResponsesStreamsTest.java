package dev.belay.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import dev.belay.testkit.model.ClientSetup;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of the Responses API in recorded shapes, and the liberties that servers take. */
@Timeout(60)
class ResponsesStreamsTest {

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void ofOpenAi() {
        ModelResponse response = heard(
                """
                        {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"gpt-5-mini-2025-08-07","output":[],"usage":null,"error":null}}
                        {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}
                        {"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}
                        {"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"First."}
                        {"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":""}}
                        {"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":1,"delta":"Second."}
                        {"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA","summary":[{"type":"summary_text","text":"First."},{"type":"summary_text","text":"Second."}]}}
                        {"type":"response.output_item.added","output_index":1,"item":{"id":"fc_1","type":"function_call","status":"in_progress","arguments":"","call_id":"call_1","name":"weather"}}
                        {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"{\\"city\\":","obfuscation":"q"}
                        {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"\\"Oslo\\"}"}
                        {"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":1,"arguments":"{\\"city\\":\\"Oslo\\"}"}
                        {"type":"response.output_item.done","output_index":1,"item":{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\\"city\\":\\"Oslo\\"}","call_id":"call_1","name":"weather"}}
                        {"type":"response.completed","response":{"id":"resp_1","status":"completed","error":null,"incomplete_details":null,"model":"gpt-5-mini-2025-08-07","output":[{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA","summary":[{"type":"summary_text","text":"First."},{"type":"summary_text","text":"Second."}]},{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\\"city\\":\\"Oslo\\"}","call_id":"call_1","name":"weather"}],"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":16},"total_tokens":30}}}""");
        assertThat(response.message().reasoning()).isEqualTo("First.\n\nSecond.");
        assertThat(response.calls())
                .containsExactly(new CallPart("call_1", "weather", "{\"city\":\"Oslo\"}"));
        assertThat(response.usage()).isEqualTo(Usage.of(10, 20).withCacheRead(4).withReasoning(16));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(response.responseId()).isEqualTo("resp_1");
        assertThat(payload(response).at("/0/encrypted_content")).contains(Json.string("gAAA"));
    }

    @Test
    void aCallThatComesOnlyAtTheEndIsNotLostThoughTextWasStreamed() {
        ModelResponse response = heard(
                """
                        {"type":"response.output_text.delta","output_index":0,"item_id":"m","delta":"Let me see."}
                        {"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Let me see."}]},{"type":"function_call","id":"f","call_id":"c","name":"clock","arguments":"{}"}]}}""");
        assertThat(response.text()).isEqualTo("Let me see.");
        assertThat(response.calls()).containsExactly(new CallPart("c", "clock", "{}"));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
    }

    @Test
    void callsOfAServerThatDoesNotNumberThem() {
        ModelResponse response = heard(
                """
                        {"type":"response.output_item.added","item":{"id":"f1","type":"function_call","call_id":"a","name":"clock","arguments":""}}
                        {"type":"response.function_call_arguments.delta","item_id":"f1","delta":"{}"}
                        {"type":"response.output_item.added","item":{"id":"f2","type":"function_call","call_id":"b","name":"weather","arguments":""}}
                        {"type":"response.function_call_arguments.delta","item_id":"f2","delta":"{\\"city\\":\\"Oslo\\"}"}
                        {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}""");
        assertThat(response.calls()).containsExactly(new CallPart("a", "clock", "{}"),
                new CallPart("b", "weather", "{\"city\":\"Oslo\"}"));
    }

    @Test
    void itemsThatComeOnlyWhenTheyAreDone() {
        ModelResponse response = heard(
                """
                        {"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}}
                        {"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"c","name":"clock","arguments":"{}"}}
                        {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}""");
        assertThat(response.text()).isEqualTo("Hi");
        assertThat(response.calls()).containsExactly(new CallPart("c", "clock", "{}"));
        assertThat(payload(response).items()).hasSize(2);
        assertThat(response.model()).as("the server did not name it").isEqualTo(ClientSetup.MODEL);
    }

    @Test
    void anAnswerThatComesOnlyAtTheEnd() {
        ModelResponse response = heard(
                """
                        {"type":"response.created","response":{"id":"r","model":"m"}}
                        {"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]}}""");
        assertThat(response.text()).isEqualTo("Hi");
    }

    @Test
    void aFailureKeepsWhatItCost() {
        server.play(
                stream("""
                        {"type":"response.created","response":{"id":"r","model":"m"}}
                        {"type":"response.failed","response":{"id":"r","model":"m","status":"failed","error":{"code":"rate_limit_exceeded","message":"zebra"},"usage":{"input_tokens":5,"output_tokens":1}}}"""));
        ModelException failure = catchThrowableOfType(ModelException.class,
                () -> model().complete(question()));
        assertThat(failure.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(failure.usage()).isEqualTo(Usage.of(5, 1));
    }

    @Test
    void anErrorEventIsAFailure() {
        server.play(stream("""
                {"type":"response.created","response":{"id":"r","model":"m"}}
                {"type":"error","code":"server_error","message":"zebra","param":null}"""));
        assertThat(catchThrowableOfType(ModelException.class, () -> model().complete(question())))
                .hasMessageContaining("zebra")
                .extracting(ModelException::kind)
                .isEqualTo(Kind.UNAVAILABLE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "status":"failed","error":{"code":"rate_limit_exceeded","message":"zebra"} | RATE_LIMITED | zebra
            "status":"failed","error":null                     | UNAVAILABLE | failed
            "status":"cancelled"                               | UNAVAILABLE | cancelled
            "status":"queued"                                  | UNAVAILABLE | queued
            "status":"in_progress"                             | UNAVAILABLE | in_progress
            "status":"weird"                                   | UNAVAILABLE | weird
            """)
    void anAnswerInOnePieceThatIsNotAtItsEndIsAFailure(String status, Kind kind, String words) {
        String response = """
                {"id":"r","object":"response","model":"m",%s,"usage":{"input_tokens":5,"output_tokens":1},\
                "output":[{"type":"message","content":[{"type":"output_text","text":"Hal"}]}]}"""
                .formatted(status);
        for (WireAnswer answer : List.of(WireAnswer.json(response),
                stream("{\"type\":\"response.completed\",\"response\":" + response + "}"))) {
            server.play(answer);
            ModelException failure = failure();
            assertThat(failure.kind()).isEqualTo(kind);
            assertThat(failure).hasMessageContaining(words);
            assertThat(failure.usage()).isEqualTo(Usage.of(5, 1));
            assertThat(failure.partial()).hasValueSatisfying(partial -> {
                assertThat(partial.text()).isEqualTo("Hal");
                assertThat(partial.finish()).isEqualTo(FinishReason.OTHER);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed", "cancelled"})
    void theTypeOfTheLastEventCountsWhereTheStatusIsMissing(String status) {
        server.play(stream("{\"type\":\"response." + status + "\",\"response\":{\"output\":[]}}"));
        assertThat(failure()).hasMessageContaining(status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"reason":"max_output_tokens"} | LENGTH
            {"reason":"content_filter"}    | CONTENT_FILTER
            {"reason":"something new"}     | OTHER
            null                           | OTHER
            """)
    void anIncompleteAnswerDoesNotJustStop(String details, FinishReason reason) {
        server.play(WireAnswer.json("""
                {"id":"r","object":"response","status":"incomplete","incomplete_details":%s,"output":[\
                {"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}""".formatted(details)));
        assertThat(model().complete(question()).finish()).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"detail\":\"zebra\"}", "{\"status\":\"zebra\"}", "[]",
        "{\"output\":null}", "{\"output\":[]}", "{\"object\":\"response\"}",
        "{\"object\":\"response\",\"output\":[]}", "{\"object\":\"response\",\"status\":\"completed\"}",
        "{\"object\":\"error\",\"message\":\"zebra\"}"})
    void anyOtherJsonIsNoAnswer(String body) {
        server.play(WireAnswer.json(body));
        ModelException failure = failure();
        assertThat(failure).hasMessageContaining(body.contains("zebra") ? "zebra" : body);
        assertThat(failure.partial()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "2147483647", "1e99", "1.5", "\"0\""})
    void aNumberOfAnItemThatIsNoneBreaksTheProtocol(String index) {
        server.play(
                stream("""
                        {"type":"response.output_text.delta","output_index":0,"delta":"Hal"}
                        {"type":"response.output_item.added","output_index":%s,"item":{"type":"function_call","call_id":"c","name":"f"}}
                        {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"""
                        .formatted(index)));
        ModelException failure = failure();
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    @Test
    void countsThatAreNoneAreNotReported() {
        assertThat(
                heard("""
                        {"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":-5,"output_tokens":2,"output_tokens_details":{"reasoning_tokens":-1}}}}""")
                        .usage())
                .isEqualTo(Usage.NONE.withOutput(2));
    }

    @Test
    void aCharacterThatIsSplitOverTwoDeltasIsOne() {
        ModelResponse response = heard(
                """
                        {"type":"response.output_text.delta","output_index":0,"delta":"a\\ud83d"}
                        {"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}}
                        {"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\\"q\\":\\"\\ud83d"}
                        {"type":"response.output_text.delta","output_index":0,"delta":"\\ude00b"}
                        {"type":"response.function_call_arguments.delta","output_index":1,"delta":"\\ude00\\"}"}
                        {"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a\\ud83d\\ude00b\\ud83d"}]}]}}""");
        assertThat(response.text()).isEqualTo("a\ud83d\ude00b");
        assertThat(response.calls()).containsExactly(new CallPart("c", "f", "{\"q\":\"\ud83d\ude00\"}"));
        assertThat(payload(response).at("/0/content/0/text")).contains(Json.string("a\ud83d\ude00b\ufffd"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"status\":\"completed\",\"output\":[7]}",
        "{\"status\":\"completed\",\"output\":[{}]}",
        "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[7]}]}",
        "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":\"hi\"}]}",
        "{\"status\":\"completed\",\"output\":\"hi\"}", "{\"status\":\"completed\"}"})
    void whatHasNotTheShapeOfAnAnswerIsAFailure(String body) {
        server.play(WireAnswer.json(body));
        assertThat(failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    private ModelException failure() {
        ModelException failure = catchThrowableOfType(ModelException.class,
                () -> model().complete(question()));
        assertThat(failure).isNotNull();
        return failure;
    }

    private ModelResponse heard(String events) {
        server.play(stream(events));
        return model().complete(question());
    }

    private OpenAiModel model() {
        return (OpenAiModel) Clients.openAi(ClientSetup.of(server.url()), OpenAiApi.RESPONSES);
    }

    private static Json payload(ModelResponse response) {
        return Objects.requireNonNull(response.message().nativePayload()).payload();
    }

    private static ModelRequest question() {
        return ModelRequest.of(Message.user("Hi"));
    }

    private static WireAnswer stream(String events) {
        return WireAnswer
                .stream(Arrays.stream(events.split("\n")).map(data -> "data: " + data + "\n\n").toList());
    }
}
