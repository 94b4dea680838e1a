package dev.belay.model.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Usage;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptLinesTest {

    private static final ModelRequest ASK = ModelRequest.of(Message.user("go"));

    @Test
    void everyKindOfLineIsRead() {
        ScriptedModel model = script(
                """
                        {"text":"done","when":{"has_reply_for":"add","last_user_text_contains":"go"}}
                        {"reasoning":"hm","text":"Hello","usage":{"input":1,"output":2,"cache_read":3,"cache_write":4,"reasoning":5}}

                        {"calls":[{"name":"add","arguments":{"a": 1.50}},{"name":"add","arguments":"{oops","id":"x"},{"name":"now"}]}
                        {"refusal":"no","finish":"content_filter"}
                        {"text":"","native":{"provider":"p","payload":[1]}}
                        """);
        assertThat(model.complete(ASK)).isEqualTo(new ModelResponse(
                Message.assistant(new ReasoningPart("hm"), new TextPart("Hello")), FinishReason.STOP,
                Usage.of(1, 2).withCacheRead(3).withCacheWrite(4).withReasoning(5), "scripted",
                "scripted_1"));
        assertThat(model.complete(ASK).calls()).containsExactly(
                new CallPart("scripted_1", "add", "{\"a\": 1.50}"),
                new CallPart("x", "add", "{oops"), new CallPart("scripted_3", "now", "{}"));
        ModelResponse refused = model.complete(ASK);
        assertThat(refused.refusal()).contains("no");
        assertThat(refused.finish()).isEqualTo(FinishReason.CONTENT_FILTER);
        assertThat(model.complete(ASK).message())
                .isEqualTo(new AssistantMessage(List.of(), new NativePayload("p", Json.of("[1]"))));
        assertThatThrownBy(model::assertExhausted)
                .hasMessageContaining("1 scripted steps were never used: [text \"done\" "
                        + "when has reply for \"add\" and last user text contains \"go\"]");
    }

    @Test
    void chunksAreSizesOrPieces() {
        ScriptedModel model = script("""
                {"text":"Hello","chunks":4}
                {"chunks":["Hel","lo"]}
                """);
        assertThat(texts(model)).containsExactly("Hell", "o");
        assertThat(texts(model)).containsExactly("Hel", "lo");
    }

    @Test
    void errorsAreThrown() {
        ScriptedModel model = script("""
                {"error":{"kind":"rate_limited","message":"slow","retry_after_seconds":3}}
                {"text":"Hel","error":{"kind":"connection"}}
                """);
        ModelException limited = catchThrowableOfType(ModelException.class, () -> model.complete(ASK));
        assertThat(limited).hasMessage("slow");
        assertThat(limited.code()).isEqualTo("model_rate_limited");
        assertThat(limited.retryAfter()).contains(Duration.ofSeconds(3));
        assertThat(limited.partial()).isEmpty();
        ModelException cut = catchThrowableOfType(ModelException.class, () -> model.complete(ASK));
        assertThat(cut.partial().orElseThrow().text()).isEqualTo("Hel");
    }

    @Test
    void rulesMayBeForOnce() {
        ScriptedModel model = script("""
                {"text":"rule","when":{"last_user_text_contains":"go"},"once":true}
                {"text":"queue"}
                {"text":"offered","when":{"offers":"x"}}
                """);
        assertThat(model.complete(ASK).text()).isEqualTo("rule");
        assertThat(model.complete(ASK).text()).isEqualTo("queue");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"txt":"a"}                                  | a step has no key "txt"; the nearest is "text", known are
            {"text":"a","calls":[{"nam":"x"}]}           | a call has no key "nam"; the nearest is "name"
            {"text":"a","usage":{"inputs":1}}            | "usage" has no key "inputs"; the nearest is "input"
            {"text":"a","when":{"offer":"x"}}            | "when" has no key "offer"; the nearest is "offers"
            {"error":{"kind":"rate_limit"}}              | "kind" has no value "rate_limit"; the nearest is "rate_limited"
            {"text":"a","finish":"stopp"}                | "finish" has no value "stopp"; the nearest is "stop"
            {"text":1}                                   | "text" must be a string, not 1
            {"calls":[{}]}                               | "name" is missing
            {"calls":["x"]}                              | a call must be an object, not "x"
            {"finish":"stop"}                            | a step needs at least one of
            {"text":"a","once":true}                     | "once" is for rules and needs "when"
            {"text":"a","when":{}}                       | "when" needs at least one of
            {"text":"a","chunks":["b"]}                  | the chunks must make up the text "a", not "b"
            {"text":"a","usage":{"input":-1}}            | input tokens must be absent or at least 0, not -1
            {"text":"a","native":{"provider":"p"}}       | "payload" is missing
            [1]                                          | a step must be an object, not [1]
            {"text":"a"                                  | line 1, column
            {"text":"a","chunks":"x"}                    | script line 3: "chunks"
            {"text":"a","chunks":1.5}                    | "chunks" must be a whole number, not 1.5
            {"text":"a","chunks":[1]}                    | "chunks" must be a string, not 1
            {"text":"a","once":1}                        | "once" must be true or false, not 1
            {"calls":{}}                                 | script line 3: "calls"
            {"text":"a","usage":{"input":"x"}}           | script line 3: "input"
            """)
    void badLinesAreNamed(String line, String problem) {
        BelayException error = catchThrowableOfType(BelayException.class,
                () -> script("{\"text\":\"ok\"}\n\n" + line));
        assertThat(error.code()).isEqualTo("invalid_script");
        assertThat(error).hasMessageStartingWith("script line 3: ").hasMessageContaining(problem);
    }

    @Test
    void aFailingReaderIsReported() {
        assertThatThrownBy(() -> ScriptedModel.fromJsonl(new Reader() {
            @Override
            public int read(char[] buffer, int offset, int length) throws IOException {
                throw new IOException("gone");
            }

            @Override
            public void close() {}
        })).isInstanceOf(UncheckedIOException.class).hasMessageContaining("gone");
    }

    private static ScriptedModel script(String lines) {
        return ScriptedModel.fromJsonl(new StringReader(lines));
    }

    private static List<String> texts(ScriptedModel model) {
        List<String> chunks = new ArrayList<>();
        model.complete(ASK, event -> {
            if (event instanceof TextDelta(String chunk)) {
                chunks.add(chunk);
            }
        });
        return chunks;
    }
}
