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

/** Streams in the shapes of servers in use, and the liberties they take. */
@Timeout(60)
class ChatStreamsTest {

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void ofOpenAi() {
        ModelResponse response = heard(
                """
                        {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1763,"model":"gpt-5-mini-2025-08-07","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"weather","arguments":""}}],"refusal":null},"finish_reason":null}],"usage":null,"obfuscation":"x"}
                        {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1763,"model":"gpt-5-mini-2025-08-07","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":\\"Oslo\\"}"}}]},"finish_reason":null}],"usage":null}
                        {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1763,"model":"gpt-5-mini-2025-08-07","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"weather","arguments":"{}"}}]},"finish_reason":null}],"usage":null}
                        {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1763,"model":"gpt-5-mini-2025-08-07","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null}
                        {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1763,"model":"gpt-5-mini-2025-08-07","choices":[],"usage":{"prompt_tokens":78,"completion_tokens":90,"total_tokens":168,"prompt_tokens_details":{"cached_tokens":64,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":64,"audio_tokens":0}}}
                        [DONE]""");
        assertThat(response.model()).isEqualTo("gpt-5-mini-2025-08-07");
        assertThat(response.calls()).containsExactly(new CallPart("call_a", "weather", "{\"city\":\"Oslo\"}"),
                new CallPart("call_b", "weather", "{}"));
        assertThat(response.usage()).isEqualTo(Usage.of(78, 90).withCacheRead(64).withReasoning(64));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(payload(response)).isEqualTo(
                Json.of("""
                        {"role":"assistant","content":null,"refusal":null,"tool_calls":[
                          {"id":"call_a","type":"function","function":{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}},
                          {"id":"call_b","type":"function","function":{"name":"weather","arguments":"{}"}}]}"""));
    }

    @Test
    void piecesOfCallsThatAllSayIndexZeroGoToTheCallThatIsOpen() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"weather","arguments":""}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":"}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"Oslo\\"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"clock","arguments":""}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"zone\\":1}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("a", "weather", "{\"city\":\"Oslo\"}"),
                new CallPart("b", "clock", "{\"zone\":1}"));
    }

    @Test
    void piecesWithoutAnIndexThatRepeatTheirIdAndNameAreOneCall() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"weather","arguments":"{\\"city\\":"}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"weather","arguments":"\\"Oslo\\"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"id":"b","function":{"name":"weather","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("a", "weather", "{\"city\":\"Oslo\"}"),
                new CallPart("b", "weather", "{}"));
    }

    @Test
    void ofOllama() {
        ModelResponse response = heard(
                """
                        {"id":"chatcmpl-12","object":"chat.completion.chunk","created":1763,"model":"qwen3:8b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Hm."},"finish_reason":null}]}
                        {"id":"chatcmpl-12","object":"chat.completion.chunk","created":1763,"model":"qwen3:8b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_1","index":0,"type":"function","function":{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}}]},"finish_reason":null}]}
                        {"id":"chatcmpl-12","object":"chat.completion.chunk","created":1763,"model":"qwen3:8b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_2","index":0,"type":"function","function":{"name":"clock","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
                        {"id":"chatcmpl-12","object":"chat.completion.chunk","created":1763,"model":"qwen3:8b","system_fingerprint":"fp_ollama","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":6,"total_tokens":11}}
                        [DONE]""");
        assertThat(response.message().reasoning()).isEqualTo("Hm.");
        assertThat(response.calls()).as("both say index 0")
                .containsExactly(
                        new CallPart("call_1", "weather", "{\"city\":\"Oslo\"}"),
                        new CallPart("call_2", "clock", "{}"));
        assertThat(payload(response).at("/tool_calls/1/id")).contains(Json.string("call_2"));
    }

    @Test
    void ofLlamaCpp() {
        ModelResponse response = heard(
                """
                        {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1763,"id":"chatcmpl-x","model":"gpt-3.5-turbo","system_fingerprint":"b6000","object":"chat.completion.chunk"}
                        {"choices":[{"finish_reason":null,"index":0,"delta":{"reasoning_content":"The user "}}],"created":1763,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}
                        {"choices":[{"finish_reason":null,"index":0,"delta":{"reasoning_content":"greets."}}],"created":1763,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}
                        {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"Hei!"}}],"created":1763,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}
                        {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1763,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}
                        {"choices":[],"created":1763,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk","usage":{"completion_tokens":9,"prompt_tokens":12,"total_tokens":21},"timings":{"prompt_n":12}}
                        [DONE]""");
        assertThat(response.message().reasoning()).isEqualTo("The user greets.");
        assertThat(response.text()).isEqualTo("Hei!");
    }

    @Test
    void ofOpenRouter() {
        server.play(WireAnswer.stream(List.of(": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n",
                event("{\"id\":\"gen-1\",\"provider\":\"X\",\"model\":\"a/b\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"reasoning\":\"Let \",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"Let \",\"format\":\"f\",\"index\":0}]},\"finish_reason\":null,\"native_finish_reason\":null}]}"),
                event("{\"id\":\"gen-1\",\"model\":\"a/b\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"reasoning\":\"me\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"me\",\"format\":\"f\",\"index\":0}]},\"finish_reason\":null}]}"),
                event("{\"id\":\"gen-1\",\"model\":\"a/b\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"signature\":\"sig==\",\"index\":0}]},\"finish_reason\":null}]}"),
                event("{\"id\":\"gen-1\",\"model\":\"a/b\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4,\"cost\":0.1}}"),
                "data: [DONE]\n\n")));
        ModelResponse response = model().complete(question());
        assertThat(response.message().reasoning()).isEqualTo("Let me");
        assertThat(payload(response).get("reasoning_details")).contains(
                Json.of("[{\"type\":\"reasoning.text\",\"text\":\"Let me\",\"format\":\"f\",\"index\":0,\"signature\":\"sig==\"}]"));
    }

    @Test
    void signaturesOfCallsAreKeptForReplay() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"weather","arguments":"{}"},"extra_content":{"google":{"thought_signature":"AbC="}}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(payload(response).at("/tool_calls/0/extra_content/google/thought_signature"))
                .contains(Json.string("AbC="));
    }

    @Test
    void callsWithoutAnyIndex() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"weather","arguments":"{\\"city\\":"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"function":{"arguments":"\\"x\\"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"clock","arguments":{"zone": "utc"}}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("a", "weather", "{\"city\":\"x\"}"),
                new CallPart("b", "clock", "{\"zone\":\"utc\"}"));
    }

    @Test
    void callsThatShareAnIndexAndHaveNoIdsAreToldApart() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"{\\"city\\":\\"x\\"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"{\\"city\\":\\"y\\"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"now","arguments":""}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"clock","arguments":"{"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"clock","arguments":""}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"zone\\":1}"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("", "weather", "{\"city\":\"x\"}"),
                new CallPart("", "weather", "{\"city\":\"y\"}"), new CallPart("", "now", ""),
                new CallPart("", "clock", "{}"), new CallPart("", "clock", "{\"zone\":1}"));
        assertThat(payload(response).at("/tool_calls/4/function"))
                .contains(Json.of("{\"name\":\"clock\",\"arguments\":\"{\\\"zone\\\":1}\"}"));
    }

    @Test
    void aNameThatIsRepeatedInEveryPieceIsOneCall() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"{\\"city\\":"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"\\"x\\"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":""}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("", "weather", "{\"city\":\"x\"}"));
        assertThat(payload(response).get("tool_calls").orElseThrow().items()).hasSize(1);
    }

    @Test
    void aCallWithAnIdOfItsOwnNeedsNoArguments() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"now","arguments":"{}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"now","arguments":""}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("a", "now", "{}"),
                new CallPart("b", "now", ""));
    }

    @Test
    void aCallThatIsSentOnceMoreDoesNotHappenTwice() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"pay","arguments":"{\\"sum\\":1}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"pay","arguments":"{\\"sum\\":1}"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).hasSize(1);
    }

    @Test
    void callsOfAWholeMessageAreApartWhateverTheirIndex() {
        server.play(WireAnswer
                .json("""
                        {"id":"1","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[
                          {"index":0,"function":{"name":"now","arguments":"{}"}},{"index":0,"function":{"name":"now","arguments":"{}"}},
                          {"id":"a","function":{"name":"clock","arguments":"{}"}},{"id":"a","function":{"name":"clock","arguments":"{}"}}]}}]}"""));
        assertThat(model().complete(question()).calls()).containsExactly(new CallPart("", "now", "{}"),
                new CallPart("", "now", "{}"), new CallPart("a", "clock", "{}"),
                new CallPart("a", "clock", "{}"));
    }

    @Test
    void aNameThatComesLate() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"}"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.calls()).containsExactly(new CallPart("a", "weather", "{}"),
                new CallPart("b", "", "{}"));
    }

    @Test
    void noMarkAtTheEnd() {
        assertThat(heard("""
                {"id":"1","model":"m","choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}""")
                .text()).isEqualTo("Hi");
    }

    @Test
    void contentInParts() {
        assertThat(
                heard("""
                        {"id":"1","model":"m","choices":[{"delta":{"content":[{"type":"text","text":"H"},{"type":"text","text":"i"}]},"finish_reason":"stop"}]}
                        [DONE]""")
                        .text())
                .isEqualTo("Hi");
    }

    @Test
    void anErrorInsteadOfTheFirstPiece() {
        server.play(
                stream("""
                        {"error":{"message":"zebra","type":"invalid_request_error","code":"context_length_exceeded"}}"""));
        ModelException failure = catchThrowableOfType(ModelException.class,
                () -> model().complete(question()));
        assertThat(failure.kind()).isEqualTo(Kind.CONTEXT_TOO_LONG);
        assertThat(failure).hasMessageContaining("zebra");
    }

    private ModelResponse heard(String chunks) {
        server.play(stream(chunks));
        return model().complete(question());
    }

    private OpenAiModel model() {
        return (OpenAiModel) Clients.openAi(ClientSetup.of(server.url()), OpenAiApi.CHAT_COMPLETIONS);
    }

    private static Json payload(ModelResponse response) {
        return Objects.requireNonNull(response.message().nativePayload()).payload();
    }

    private static ModelRequest question() {
        return ModelRequest.of(Message.user("Hi"));
    }

    private static WireAnswer stream(String chunks) {
        return WireAnswer.stream(Arrays.stream(chunks.split("\n")).map(ChatStreamsTest::event).toList());
    }

    private static String event(String data) {
        return "data: " + data + "\n\n";
    }
}
