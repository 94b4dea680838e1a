package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonWriter;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden file is what was written first; it is never changed, and every later version reads it. */
class MessageJsonTest {

    private static final String GOLDEN = "messages-1.txt";
    private static final Map<String, Message> MESSAGES = Map.of(
            "system", Message.system("You are a clerk."),
            "user", Message.user(new TextPart("Look:\n\"1\""),
                    new ImagePart("image/png", new Source.Inline("iVBORw==")),
                    new ImagePart("image/gif", Source.at(URI.create("https://example.com/a.gif?b=%20#c"))),
                    new FilePart("application/pdf", "terms.pdf", Source.uploaded("file-7")),
                    new FilePart("text/plain", "a.txt", Source.of("hi".getBytes(StandardCharsets.UTF_8)))),
            "assistant",
            Message.assistant(new ReasoningPart("I need it."), new TextPart("One moment. \ud83d\ude00"),
                    new RefusalPart("Not that."), new CallPart("call_1", "balance", "{\"account\": \"A\"}"),
                    new CallPart("", "list", "")),
            "silent", Message.assistant(""),
            "native", new AssistantMessage(List.of(new TextPart("Hi")),
                    new NativePayload("openai-chat", Json.of("{\"b\":1.50,\"a\":[1e2,-0,\"\\u00e9\"]}"))),
            "native-spaced", new AssistantMessage(List.of(),
                    new NativePayload("p", Json.of(" {\"a\": 1.0,\n \"b\": []}\n"))),
            "replies", Message.replies(new ReplyPart("call_1", "balance", Status.OK, "12.50"),
                    new ReplyPart("call_2", "list", Status.ERROR, ""),
                    new ReplyPart("call_3", "list", Status.CANCELLED, "c"),
                    new ReplyPart("", "", Status.REJECTED, "r")));

    private static Json golden(String name) throws IOException {
        try (InputStream in = MessageJsonTest.class.getResourceAsStream(GOLDEN)) {
            assertThat(in).as(GOLDEN).isNotNull();
            Map<String, Json> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .collect(Collectors.toMap(line -> line.substring(0, line.indexOf(' ')),
                            line -> Json.of(line.substring(line.indexOf(' ') + 1))));
            return Objects.requireNonNull(lines.get(name), name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"system", "user", "assistant", "silent", "native", "native-spaced", "replies"})
    void messagesAreWrittenAndReadAsEver(String name) throws Exception {
        Message message = Objects.requireNonNull(MESSAGES.get(name));
        assertThat(MessageJson.of(message).text()).isEqualTo(golden(name).text());
        assertThat(MessageJson.message(golden(name))).isEqualTo(message);
    }

    @Test
    void usageIsWrittenAndReadAsEver() throws Exception {
        Usage usage = Usage.of(120, 9).withCacheRead(100).withCacheWrite(0).withReasoning(Long.MAX_VALUE);
        assertThat(MessageJson.of(usage).text()).isEqualTo(golden("usage").text());
        assertThat(MessageJson.usage(golden("usage"))).isEqualTo(usage);
        assertThat(MessageJson.of(Usage.NONE).text()).isEqualTo(golden("no-usage").text());
        assertThat(MessageJson.usage(golden("no-usage"))).isEqualTo(Usage.NONE);
    }

    @Test
    void responsesAreWrittenAndReadAsEver() throws Exception {
        var response = new ModelResponse(
                new AssistantMessage(List.of(new TextPart("Hi")), new NativePayload("p", Json.NULL)),
                FinishReason.TOOL_CALLS, Usage.of(120, 9), "m-1", "resp_1");
        var bare = new ModelResponse(Message.assistant(""), FinishReason.STOP, Usage.NONE, "", "");
        assertThat(MessageJson.of(response).text()).isEqualTo(golden("response").text());
        assertThat(MessageJson.response(golden("response"))).isEqualTo(response);
        assertThat(MessageJson.of(bare).text()).isEqualTo(golden("bare-response").text());
        assertThat(MessageJson.response(golden("bare-response"))).isEqualTo(bare);
    }

    @ParameterizedTest
    @EnumSource
    void reasonsToStopAreTheirNames(FinishReason reason) {
        assertThat(MessageJson.finishReason(MessageJson.of(reason))).isEqualTo(reason);
        assertThat(MessageJson.of(FinishReason.CONTENT_FILTER)).isEqualTo(Json.string("content_filter"));
    }

    @Test
    void aRecordWritesThemAmongItsOwnFields() throws Exception {
        Json record = Json.write(out -> {
            out.beginObject().name("v").value(1).name("said").beginArray();
            MessageJson.write(out, Message.system("You are a clerk."));
            MessageJson.write(out,
                    new ModelResponse(Message.assistant(""), FinishReason.STOP, Usage.NONE, "", ""));
            MessageJson.write(out, Usage.NONE);
            out.endArray().endObject();
        });
        assertThat(record.text())
                .isEqualTo("{\"v\":1,\"said\":[" + golden("system") + "," + golden("bare-response")
                        + "," + golden("no-usage") + "]}");
    }

    /** JSON cannot hold half a character, and what was said must not stop the one who records it. */
    @Test
    void halvesOfCharactersAreReplaced() throws Exception {
        Message said = Message.assistant(new TextPart("a\ud83d"),
                new CallPart("\ude00", "\ud83df", "{\"a\":\"\ud83d\"}"));
        assertThat(MessageJson.of(said).text()).isEqualTo(golden("halves").text());
        Message read = MessageJson.message(golden("halves"));
        assertThat(read).isEqualTo(Message.assistant(new TextPart("a?"),
                new CallPart("?", "?f", "{\"a\":\"\u0001\"}")));
        assertThat(MessageJson.of(read).text()).isEqualTo(golden("halves").text());
    }

    @Test
    void halvesOfCharactersInAnAddressLeaveItOne() {
        Message said = Message.user(new ImagePart("a/b", Source.at(URI.create("http://\ud83d/"))));
        assertThat(MessageJson.message(MessageJson.of(said)))
                .isEqualTo(Message.user(new ImagePart("a/b", Source.at(URI.create("http://\ufffd/")))));
    }

    @Test
    void aPayloadAsDeepAsJsonCanBeFitsIntoAnyRecord() {
        Json deep = Json.of("[".repeat(JsonLimits.DEEPEST) + "]".repeat(JsonLimits.DEEPEST));
        Message said = new AssistantMessage(List.of(), new NativePayload("p", deep));
        JsonWriter record = new JsonWriter().beginArray().beginArray();
        MessageJson.write(record, said);
        Json read = Json.of(record.endArray().endArray().text());
        assertThat(MessageJson.message(read.at("/0/0").orElseThrow())).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"user\":[{\"text\":\"a\"}],\"mood\":1} | /mood | unknown field \"mood\"",
        "{\"system\":\"a\",\"user\":[]} | /system | unknown field \"system\"",
        "{\"user\":[{\"text\":\"a\"},{\"text\":\"b\",\"a/~b\":1}]} | /user/1/a~1~0b | unknown field \"a/~b\"",
        "{\"user\":[{\"image\":\"a/b\",\"uri\":\"u:x\",\"base64\":\"aGk=\"}]} | /user/0/uri | unknown field \"uri\"",
        "{\"user\":[{\"image\":\"a/b\",\"type\":\"x\",\"uri\":\"u:x\"}]} | /user/0/type | unknown field \"type\"",
        "{\"user\":[],\"native\":{}} | /native | unknown field \"native\"",
        "{\"replies\":[{\"call\":\"\",\"name\":\"\",\"status\":\"ok\",\"text\":\"\",\"x\":1}]} | /replies/0/x | unknown field",
        "{\"assistant\":[],\"native\":{\"provider\":\"p\",\"payload\":1,\"text\":\"1\"}} | /native/text | unknown field",
        "{\"mood\":1} | `` | expected a field of [user, assistant, replies, system], found [mood]",
        "{} | `` | found []",
        "[] | `` | expected object, found array",
        "null | `` | expected object, found null",
        "{\"system\":7} | /system | expected string, found number",
        "{\"system\":\"\"} | `` | must not be empty",
        "{\"user\":[]} | `` | at least one part",
        "{\"user\":{}} | /user | expected array, found object",
        "{\"user\":[{\"text\":\"\"}]} | /user/0 | must not be empty",
        "{\"user\":[{\"image\":\"a/b\"}]} | /user/0 | expected a field of [base64, uri, uploaded], found [image]",
        "{\"user\":[{\"file\":\"a\",\"uri\":\"u:x\"}]} | /user/0 | the field \"type\" is missing",
        "{\"user\":[{\"image\":\"a/b\",\"uri\":\"a b\"}]} | /user/0 | Illegal character",
        "{\"user\":[{\"image\":\"a/b\",\"uri\":\"a\"}]} | /user/0 | absolute URI",
        "{\"user\":[{\"image\":\"a/b\",\"base64\":\"a\"}]} | /user/0 | base64",
        "{\"assistant\":[{\"call\":\"1\",\"name\":\"f\"}]} | /assistant/0 | the field \"arguments\" is missing",
        "{\"assistant\":[],\"native\":null} | /native | expected object, found null",
        "{\"assistant\":[],\"native\":{\"provider\":\"\",\"payload\":1}} | /native | must not be empty",
        "{\"assistant\":[],\"native\":{\"provider\":\"p\",\"text\":\"{\"}} | /native | line 1",
        "{\"replies\":[{\"call\":\"\",\"name\":\"\",\"status\":\"OK\",\"text\":\"\"}]} | /replies/0/status | [ok, error, cancelled, rejected], found \"OK\""})
    void whatIsNoMessageIsRefusedWithItsPlace(String json, String pointer, String problem) {
        assertInvalid(() -> MessageJson.message(Json.of(json)), pointer, problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"message\":{\"assistant\":[]},\"finish\":\"stop\",\"usage\":{},\"model\":\"\",\"cost\":1} | /cost | unknown field \"cost\"",
        "{\"message\":{\"assistant\":[{}]},\"finish\":\"stop\",\"usage\":{},\"model\":\"\"} | /message/assistant/0 | found []",
        "{\"message\":{\"system\":\"a\"},\"finish\":\"stop\",\"usage\":{},\"model\":\"\"} | /message | a response holds an assistant message",
        "{\"message\":{\"assistant\":[]},\"finish\":\"done\",\"usage\":{},\"model\":\"\"} | /finish | found \"done\"",
        "{\"message\":{\"assistant\":[]},\"finish\":\"stop\",\"usage\":{\"input\":-1},\"model\":\"\"} | /usage | at least 0, not -1",
        "{\"message\":{\"assistant\":[]},\"finish\":\"stop\",\"usage\":{\"output\":1.5},\"model\":\"\"} | /usage/output | whole number",
        "{\"message\":{\"assistant\":[]},\"finish\":\"stop\",\"usage\":{\"cached\":1},\"model\":\"\"} | /usage/cached | unknown field",
        "{\"message\":{\"assistant\":[]},\"finish\":\"stop\",\"usage\":{},\"model\":\"\",\"id\":null} | /id | expected string, found null",
        "{\"message\":{\"assistant\":[]},\"finish\":\"stop\",\"model\":\"\"} | `` | the field \"usage\" is missing"})
    void whatIsNoResponseIsRefusedWithItsPlace(String json, String pointer, String problem) {
        assertInvalid(() -> MessageJson.response(Json.of(json)), pointer, problem);
    }

    private static void assertInvalid(Runnable reading, String pointer, String problem) {
        assertThatThrownBy(reading::run).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo("invalid_message");
            assertThat(e.retryable()).isFalse();
            assertThat(e).hasMessageContaining("at \"" + pointer + "\": ").hasMessageContaining(problem);
        });
    }
}
