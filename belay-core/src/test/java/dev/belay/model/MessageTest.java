package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {

    @Test
    void messagesOfEqualContentAreEqual() {
        byte[] pixels = {1, 2, 3};
        assertThat(Message.user(new TextPart("see"), new ImagePart("image/png", Source.of(pixels))))
                .isEqualTo(Message.user(new TextPart("see"),
                        new ImagePart("image/png", Source.of(pixels.clone()))))
                .isNotEqualTo(Message.user(new TextPart("see"),
                        new ImagePart("image/png", Source.of(new byte[]{1}))));
        assertThat(new AssistantMessage(List.of(new TextPart("a")),
                new NativePayload("p", Json.of("{\"b\":1,\"a\":2}"))))
                .isEqualTo(new AssistantMessage(List.of(new TextPart("a")),
                        new NativePayload("p", Json.of("{ \"a\": 2, \"b\": 1 }"))))
                .isNotEqualTo(new AssistantMessage(List.of(new TextPart("a"))));
    }

    @Test
    void inlineBytesCannotBeChangedFromOutside() {
        byte[] pixels = {1, 2, 3};
        Source.Inline source = (Source.Inline) Source.of(pixels);
        pixels[0] = 9;
        source.bytes()[1] = 9;
        assertThat(source.bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void inlineBytesStayOutOfLogs() {
        assertThat(Source.of("secret".getBytes(StandardCharsets.UTF_8)).toString())
                .isEqualTo("Inline[8 characters of Base64]");
    }

    @Test
    void listsAreCopiedIn() {
        List<UserPart> parts = new ArrayList<>(List.of(new TextPart("a")));
        UserMessage message = new UserMessage(parts);
        parts.clear();
        assertThat(message.parts()).containsExactly(new TextPart("a"));
        assertThatThrownBy(() -> message.parts().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void neighboursOfOneKindAreOnePart() {
        AssistantMessage message = Message.assistant(new TextPart("a"), new TextPart("b"),
                new ReasoningPart("c"),
                new ReasoningPart("d"), new RefusalPart("e"), new RefusalPart("f"), new TextPart("g"));
        assertThat(message.parts()).containsExactly(new TextPart("ab"), new ReasoningPart("cd"),
                new RefusalPart("ef"),
                new TextPart("g"));
        assertThat(message.text()).isEqualTo("abg");
        assertThat(message.reasoning()).isEqualTo("cd");
        assertThat(message.refusal()).contains("ef");
    }

    @Test
    void callsStandLastAndDoNotSeparateText() {
        CallPart call = new CallPart("1", "f", "{}");
        CallPart same = new CallPart("1", "f", "{}");
        AssistantMessage message = Message.assistant(call, new TextPart("a"), same, new TextPart("b"));
        assertThat(message.parts()).containsExactly(new TextPart("ab"), call, same);
        assertThat(message.calls()).containsExactly(call, same);
    }

    @Test
    void rawArgumentsAreKeptAsTheyCame() {
        assertThat(new CallPart("", "no such tool!", "{\"a\": 1.50,").arguments()).isEqualTo("{\"a\": 1.50,");
    }

    @Test
    void missingAndRepeatedIdsAreReplaced() {
        AssistantMessage message = Message.assistant(new TextPart("t"), new CallPart("", "a", ""),
                new CallPart("x", "b", ""), new CallPart("x", "c", ""), new CallPart("", "d", ""));
        assertThat(message.withCallIds(7).calls()).extracting(CallPart::id)
                .containsExactly("call_7_0", "x", "call_7_2",
                        "call_7_3");
        assertThat(message.withCallIds(7).text()).isEqualTo("t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x)\n[main] INFO", "\u001b[2J", "a b", "caf\u00e9", "\u202e", "\u007f"})
    void idsThatCannotStandInALogAreReplaced(String id) {
        assertThat(Message.assistant(new CallPart(id, "a", "")).withCallIds(7).calls())
                .extracting(CallPart::id)
                .containsExactly("call_7_0");
        assertThat(Message.assistant(new CallPart("x", "a", ""), new CallPart(id, "b", ""))
                .withCallIds(7)
                .calls()).extracting(CallPart::id).containsExactly("x", "call_7_1");
    }

    @Test
    void idsOfAHundredCharactersStayAndLongerOnesAreReplaced() {
        assertThat(Message.assistant(new CallPart("~".repeat(100), "a", ""),
                new CallPart("~".repeat(101), "b", "")).withCallIds(7).calls()).extracting(CallPart::id)
                .containsExactly("~".repeat(100), "call_7_1");
    }

    @Test
    void replacedIdsNeverMeetAProvidersId() {
        AssistantMessage message = Message.assistant(new CallPart("call_1_1", "a", ""),
                new CallPart("", "b", ""),
                new CallPart("call_1_1", "c", ""));
        assertThat(message.withCallIds(1).calls()).extracting(CallPart::id)
                .containsExactly("call_1_1", "call_1_1_1",
                        "call_1_2");
    }

    @Test
    void goodIdsAndThePayloadStay() {
        NativePayload payload = new NativePayload("p", Json.of("{}"));
        AssistantMessage good = new AssistantMessage(List.of(new CallPart("1", "a", "")), payload);
        assertThat(good.withCallIds(0)).isSameAs(good);
        AssistantMessage bad = new AssistantMessage(List.<AssistantPart>of(new CallPart("", "a", "")),
                payload);
        assertThat(bad.withCallIds(0).nativePayload()).isEqualTo(payload);
    }

    @Test
    void emptyAssistantTextIsNoPart() {
        assertThat(Message.assistant("").parts()).isEmpty();
        assertThat(Message.assistant("").refusal()).isEmpty();
    }

    @Test
    void emptyMessagesAndPartsAreRefused() {
        assertThatThrownBy(() -> Message.system("")).hasMessageContaining("system message must not be empty");
        assertThatThrownBy(() -> new UserMessage(List.of())).hasMessageContaining("at least one part");
        assertThatThrownBy(() -> new ToolMessage(List.of())).hasMessageContaining("at least one reply");
        assertThatThrownBy(() -> Message.user("")).hasMessageContaining("text part must not be empty");
        assertThatThrownBy(() -> new ReasoningPart("")).hasMessageContaining("must not be empty");
        assertThatThrownBy(() -> new RefusalPart("")).hasMessageContaining("must not be empty");
    }

    @Test
    void filesNameTheirSource() {
        FilePart file = new FilePart("application/pdf", "a.pdf", Source.uploaded("file-1"));
        assertThat(Message.user(file).parts()).containsExactly(file);
        assertThat(Message.user(file).text()).isEmpty();
        assertThat(file.source()).isEqualTo(new Source.Uploaded("file-1"));
    }

    @Test
    void aPayloadNamesItsProvider() {
        assertThatThrownBy(() -> new NativePayload("", Json.of("{}")))
                .hasMessageContaining("must not be empty");
    }

    @Test
    void badSourcesAreRefused() {
        Source link = Source.at(URI.create("https://example.com/a.png"));
        assertThatThrownBy(() -> new ImagePart("png", link)).hasMessageContaining("type/subtype")
                .hasMessageContaining("\"png\"");
        assertThatThrownBy(() -> new FilePart("application/", "a", link))
                .hasMessageContaining("type/subtype");
        assertThatThrownBy(() -> new FilePart("application/pdf", "", link))
                .hasMessageContaining("name of a file");
        assertThatThrownBy(() -> Source.at(URI.create("a.png")))
                .hasMessageContaining("absolute URI, not \"a.png\"");
        assertThatThrownBy(() -> Source.uploaded("")).hasMessageContaining("must not be empty");
        assertThatThrownBy(() -> new Source.Inline("no base64!"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
