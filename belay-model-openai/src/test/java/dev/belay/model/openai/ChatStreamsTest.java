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
import dev.belay.model.Part.ReplyPart;
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

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"null\"", "null"})
    void aFinishReasonThatIsNoneDoesNotMakeACutStreamWhole(String none) {
        String cut = """
                {"id":"1","model":"m","choices":[{"delta":{"content":"Hal"},"finish_reason":%s}],"usage":{"prompt_tokens":3}}"""
                .formatted(none);
        assertCut(cut, "Hal");
        assertCut(cut + "\n[DONE]", "Hal");
        assertThat(heard(cut + """

                {"id":"1","model":"m","choices":[{"delta":{"content":"f"},"finish_reason":"stop"}]}
                {"id":"1","model":"m","choices":[{"delta":{},"finish_reason":%s}]}
                [DONE]""".formatted(none)).text()).isEqualTo("Half");
    }

    @Test
    void aWholeMessageWithoutAFinishReasonIsCut() {
        server.play(WireAnswer.json(
                "{\"id\":\"1\",\"choices\":[{\"message\":{\"content\":\"Hal\"},\"finish_reason\":\"\"}]}"));
        assertThat(failure().partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "abort", "cancelled", "insufficient_system_resource"})
    void anAnswerThatTheServerGaveUpIsAFailure(String reason) {
        server.play(stream("""
                {"id":"1","model":"m","choices":[{"delta":{"content":"Hal"},"finish_reason":"%s"}]}
                [DONE]""".formatted(reason)));
        ModelException failure = failure();
        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining(reason);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    @Test
    void ofMistral() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"The user "}]}]},"finish_reason":null}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"greets."}],"closed":true}]},"finish_reason":null}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"He"}]},"finish_reason":null}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"llo"},"finish_reason":null}]}
                        {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"","tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}
                        [DONE]""");
        assertThat(response.message().reasoning()).isEqualTo("The user greets.");
        assertThat(response.text()).isEqualTo("Hello");
        assertThat(payload(response).get("content")).contains(Json.of("""
                [{"type":"thinking","thinking":[{"type":"text","text":"The user greets."}],"closed":true},
                 {"type":"text","text":"Hello"}]"""));
    }

    @Test
    void anEmptyPieceWipesNothing() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"role":"","content":"Hi","reasoning_content":"Hm"}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"role":"","content":[],"reasoning_content":""}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"role":"","content":""},"finish_reason":"stop"}]}
                        [DONE]""");
        assertThat(response.text()).isEqualTo("Hi");
        assertThat(payload(response).get("reasoning_content")).contains(Json.string("Hm"));
        assertThat(replayed(response)).isEqualTo(Json.of("""
                {"role":"assistant","content":"Hi","reasoning_content":"Hm"}"""));
    }

    @Test
    void numbersAndEmptyRolesAreNotSentBack() {
        server.play(WireAnswer
                .json("""
                        {"id":"1","model":"m","choices":[{"finish_reason":"tool_calls","message":{"role":"","content":[{"index":0,"type":"text","text":"Hi"}],\
                        "tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}"""));
        assertThat(replayed(model().complete(question()))).isEqualTo(Json.of("""
                {"role":"assistant","content":[{"type":"text","text":"Hi"}],
                 "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"""));
    }

    @Test
    void countsThatAreNoneAreNotReported() {
        assertThat(
                heard("""
                        {"id":"1","model":"m","choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":1.5},"completion_tokens_details":{"reasoning_tokens":"3"}}}
                        [DONE]""")
                        .usage())
                .isEqualTo(Usage.NONE.withOutput(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "2147483647", "1e99", "1.5", "\"0\""})
    void aNumberOfACallThatIsNoneBreaksTheProtocol(String index) {
        assertCut(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"content":"Hal"}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"tool_calls":[{"index":%s,"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]"""
                        .formatted(index),
                "Hal");
    }

    @Test
    void aCharacterThatIsSplitOverTwoDeltasIsOne() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m","choices":[{"delta":{"content":"a\\ud83d","tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\\"q\\":\\"\\uD83D"}}]}}]}
                        {"id":"1","model":"m","choices":[{"delta":{"content":"\\ude00\ufdd0 \\ufdd0d83d","tool_calls":[{"index":0,"function":{"arguments":"\\uDE00\\"}"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.text()).isEqualTo("a\ud83d\ude00\ufdd0 \ufdd0d83d");
        assertThat(response.calls()).containsExactly(new CallPart("c", "f", "{\"q\":\"\ud83d\ude00\"}"));
        assertThat(payload(response).get("content")).contains(Json.string(response.text()));
        assertThat(payload(response).at("/tool_calls/0/function/arguments"))
                .contains(Json.string("{\"q\":\"\ud83d\ude00\"}"));
    }

    @Test
    void halfACharacterThatStaysAloneIsReplaced() {
        ModelResponse response = heard(
                """
                        {"id":"1","model":"m\\udc00","choices":[{"delta":{"reasoning":"a\\ud83d","content":"b\\ude00c\\ud83d","tool_calls":[{"index":0,"id":"\\ud800","function":{"name":"f","arguments":"{\\ud83d"}}]},"finish_reason":"tool_calls"}]}
                        [DONE]""");
        assertThat(response.message().reasoning()).isEqualTo("a\ufffd");
        assertThat(response.text()).isEqualTo("b\ufffdc\ufffd");
        assertThat(response.calls()).containsExactly(new CallPart("\ufffd", "f", "{\u0001"));
        assertThat(payload(response).get("content")).contains(Json.string("b\ufffdc\ufffd"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            data: {"error":{"message":"zebra"}}                                         | UNAVAILABLE
            data: {"error":"zebra"}                                                     | UNAVAILABLE
            data: {"error":{"message":"zebra: Rate limit exceeded"}}                    | RATE_LIMITED
            data: {"error":{"message":"zebra","status_code":429}}                       | RATE_LIMITED
            data: {"error":{"zebra":true}}                                              | UNAVAILABLE
            data: {"errors":[{"message":"zebra","code":400}]}                           | INVALID_REQUEST
            data: {"object":"error","message":"zebra","type":"BadRequestError"}         | INVALID_REQUEST
            data: {"object":"error","message":"zebra","code":429}                       | RATE_LIMITED
            data: {"object":"error","message":{"detail":["zebra"]},"type":"invalid_request_error"} | INVALID_REQUEST
            data: {"type":"error","message":"zebra timed out"}                          | TIMEOUT
            event: error~data: {"message":"zebra","code":"401"}                         | AUTHENTICATION
            event: error~data: zebra                                                    | UNAVAILABLE
            event: error~data: {"zebra":1}                                              | UNAVAILABLE
            data: {"choices":[{"error":{"message":"zebra","code":502},"finish_reason":"error"}]} | UNAVAILABLE
            """)
    void anErrorInAStreamKeepsTheWordsOfItsProvider(String event, Kind kind) {
        server.play(WireAnswer.stream(List.of(
                event("{\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}"),
                event.replace('~', '\n') + "\n\n")));
        ModelException failure = failure();
        assertThat(failure).hasMessageContaining("zebra");
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            text/event-stream | {"error":{"message":"zebra","code":429}}             | RATE_LIMITED
            text/event-stream | {"object":"error","message":"zebra","code":400}      | INVALID_REQUEST
            text/event-stream | {"detail":"zebra"}                                   | UNAVAILABLE
            text/event-stream | [{"error":{"message":"zebra","code":403}}]           | PERMISSION
            text/event-stream | data: {"detail":"zebra"}                             | UNAVAILABLE
            text/event-stream | data: {"message":"zebra","request_id":"1"}           | UNAVAILABLE
            text/event-stream | zebra                                                | UNAVAILABLE
            text/event-stream | zebra: too many requests                             | RATE_LIMITED
            text/event-stream | Gateway timed out~~zebra                             | TIMEOUT
            text/plain        | upstream says: zebra, unauthorized                   | AUTHENTICATION
            text/event-stream | data: zebra                                          | PROTOCOL
            application/json  | {"object":"error","message":"zebra","type":"rate_limited"} | RATE_LIMITED
            application/json  | {"message":"zebra: Unauthorized"}                    | AUTHENTICATION
            application/json  | {"zebra":1}                                          | PROTOCOL
            """)
    void anErrorInsteadOfAnAnswerKeepsTheWordsOfItsProvider(String type, String body, Kind kind) {
        server.play(WireAnswer.of(200, type, body.replace('~', '\n') + "\n\n"));
        ModelException failure = failure();
        assertThat(failure).hasMessageContaining("zebra");
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.partial()).isEmpty();
    }

    @Test
    void anErrorBesideACountKeepsBoth() {
        server.play(WireAnswer
                .json("{\"id\":\"1\",\"choices\":[],\"usage\":{\"prompt_tokens\":3},\"error\":{\"message\":\"zebra\"}}"));
        ModelException failure = failure();
        assertThat(failure).hasMessageContaining("zebra");
        assertThat(failure.usage()).isEqualTo(Usage.NONE.withInput(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"choices\":[{\"finish_reason\":\"stop\"}]}",
        "{\"choices\":[{\"message\":null,\"finish_reason\":\"stop\"}]}",
        "{\"choices\":[{\"message\":\"hi\",\"finish_reason\":\"stop\"}]}",
        "{\"choices\":[{\"message\":{\"content\":[7]},\"finish_reason\":\"stop\"}]}",
        "{\"choices\":[{\"message\":{\"tool_calls\":[7]},\"finish_reason\":\"tool_calls\"}]}",
        "{\"choices\":[7]}", "{\"choices\":7}", "{\"status\":\"ok\"}", "[]"})
    void whatHasNotTheShapeOfAnAnswerIsAFailure(String body) {
        server.play(WireAnswer.json(body));
        assertThat(failure().kind()).isIn(Kind.PROTOCOL, Kind.UNAVAILABLE);
    }

    private ModelException failure() {
        ModelException failure = catchThrowableOfType(ModelException.class,
                () -> model().complete(question()));
        assertThat(failure).isNotNull();
        return failure;
    }

    private void assertCut(String chunks, String text) {
        server.play(stream(chunks));
        ModelException failure = failure();
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo(text));
    }

    /** The message as the next request carries it. */
    private Json replayed(ModelResponse response) {
        Message said = response.message();
        server.play(stream(
                "{\"id\":\"2\",\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}"));
        model().complete(response.calls().isEmpty()
                ? ModelRequest.of(Message.user("Hi"), said, Message.user("Go on."))
                : ModelRequest.of(Message.user("Hi"), said, Message.replies(
                        new ReplyPart(response.calls().getFirst().id(), "f", ReplyPart.Status.OK, "ok"))));
        return server.requests().getLast().json().at("/messages/1").orElseThrow();
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
