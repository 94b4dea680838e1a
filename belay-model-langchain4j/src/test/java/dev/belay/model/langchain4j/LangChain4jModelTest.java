package dev.belay.model.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A LangChain4j model that answers in one piece: what is said, what is heard, what is refused. */
class LangChain4jModelTest {

    private static final AiMessage OK = AiMessage.from("ok");
    private static final ToolSpec FIND = new ToolSpec("find", "Finds.", Json.of("""
            {"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}"""));
    private static final ToolSpec OTHER = new ToolSpec("other", "", Json.of("{\"type\":\"object\"}"));

    private AiMessage answer = OK;

    @Test
    void everyKindOfMessageIsSaid() {
        ChatRequest asked = asked(ModelRequest.of(Message.system("be brief"), Message.user("go"),
                Message.assistant(new ReasoningPart("hidden"), new TextPart("on it"),
                        new CallPart("a", "find", "{\"q\": 1}"),
                        new CallPart("b", "other", "")),
                Message.replies(new ReplyPart("b", "other", ReplyPart.Status.ERROR, "Error (x): no"),
                        new ReplyPart("a", "find", ReplyPart.Status.OK, "found")),
                Message.assistant(new RefusalPart("no more")), Message.user("why?")));
        assertThat(asked.messages()).containsExactly(SystemMessage.from("be brief"),
                UserMessage.from(TextContent.from("go")),
                AiMessage.from("on it",
                        List.of(ToolExecutionRequest.builder()
                                .id("a")
                                .name("find")
                                .arguments("{\"q\": 1}")
                                .build(),
                                ToolExecutionRequest.builder().id("b").name("other").arguments("").build())),
                ToolExecutionResultMessage.builder()
                        .id("b")
                        .toolName("other")
                        .text("Error (x): no")
                        .isError(true)
                        .build(),
                ToolExecutionResultMessage.builder()
                        .id("a")
                        .toolName("find")
                        .text("found")
                        .isError(false)
                        .build(),
                AiMessage.from("no more"), UserMessage.from(TextContent.from("why?")));
    }

    @Test
    void picturesAndFilesAreSaid() {
        byte[] bytes = {1, 2, 3};
        ChatRequest asked = asked(ModelRequest.of(Message.user(new TextPart("look"),
                new ImagePart("image/png", Source.of(bytes)),
                new ImagePart("image/jpeg", Source.at(URI.create("https://example.org/a.jpg"))),
                new FilePart("application/pdf", "a.pdf", Source.of(bytes)),
                new FilePart("audio/wav", "a.wav", Source.of(bytes)))));
        UserMessage said = (UserMessage) asked.messages().getFirst();
        assertThat(said.contents()).hasSize(5);
        ImageContent inline = (ImageContent) said.contents().get(1);
        assertThat(inline.image().base64Data()).isEqualTo("AQID");
        assertThat(inline.image().mimeType()).isEqualTo("image/png");
        assertThat(((ImageContent) said.contents().get(2)).image().url())
                .hasToString("https://example.org/a.jpg");
        assertThat(((PdfFileContent) said.contents().get(3)).pdfFile().base64Data()).isEqualTo("AQID");
        assertThat(((AudioContent) said.contents().get(4)).audio().mimeType()).isEqualTo("audio/wav");
    }

    @Test
    void whatCannotBeSaidIsRefusedBeforeAnythingIsSent() {
        refused(Message.user(new ImagePart("image/png", Source.uploaded("f-1"))),
                "the uploaded file \"f-1\"");
        refused(Message.user(new FilePart("application/pdf", "a.pdf", Source.uploaded("f-2"))), "f-2");
        refused(Message.user(new FilePart("application/zip", "a.zip", Source.of(new byte[]{1}))),
                "the file \"a.zip\" of type application/zip");
        refused(Generation.PROVIDER_DECIDES.withSeed(7), "a seed");
        refused(Generation.PROVIDER_DECIDES.withEffort(Generation.Effort.LOW), "an effort of reasoning");
    }

    @Test
    void settingsAreSentAsSetAndNotOtherwise() {
        ChatRequest set = asked(ModelRequest.builder(List.of(Message.user("go")))
                .generation(Generation.PROVIDER_DECIDES.withTemperature(0.5)
                        .withTopP(0.9)
                        .withMaxOutputTokens(77)
                        .withStop("END"))
                .build());
        assertThat(set.temperature()).isEqualTo(0.5);
        assertThat(set.topP()).isEqualTo(0.9);
        assertThat(set.maxOutputTokens()).isEqualTo(77);
        assertThat(set.stopSequences()).containsExactly("END");
        ChatRequest unset = asked(ModelRequest.of(Message.user("go")));
        assertThat(unset.temperature()).isNull();
        assertThat(unset.maxOutputTokens()).isNull();
        assertThat(unset.responseFormat()).isNull();
        assertThat(unset.toolChoice()).isNull();
        assertThat(unset.toolSpecifications()).isEmpty();
    }

    @Test
    void toolsAndTheChoiceAreSaid() {
        ModelRequest.Builder request = ModelRequest.builder(List.of(Message.user("go")))
                .tools(List.of(FIND, OTHER));
        ChatRequest auto = asked(request.build());
        assertThat(auto.toolSpecifications()).extracting("name").containsExactly("find", "other");
        assertThat(auto.toolSpecifications().getFirst().parameters())
                .isEqualTo(JsonObjectSchema.builder().addStringProperty("q").required("q").build());
        assertThat(auto.toolChoice()).isNull();
        assertThat(asked(request.toolChoice(ToolChoice.any()).build()).toolChoice())
                .isEqualTo(dev.langchain4j.model.chat.request.ToolChoice.REQUIRED);
        assertThat(asked(request.toolChoice(ToolChoice.none()).build()).toolChoice())
                .isEqualTo(dev.langchain4j.model.chat.request.ToolChoice.NONE);
        ChatRequest specific = asked(request.toolChoice(ToolChoice.specific("other")).build());
        assertThat(specific.toolChoice()).isEqualTo(dev.langchain4j.model.chat.request.ToolChoice.REQUIRED);
        assertThat(specific.toolSpecifications()).extracting("name").containsExactly("other");
    }

    @Test
    void structuredOutputIsAskedFor() {
        ChatRequest asked = asked(ModelRequest.builder(List.of(Message.user("go")))
                .output(OutputSpec.schema("point", Json.of("""
                        {"type":"object","properties":{"x":{"type":"integer"}}}""")))
                .build());
        assertThat(asked.responseFormat().type()).isEqualTo(ResponseFormatType.JSON);
        assertThat(asked.responseFormat().jsonSchema().name()).isEqualTo("point");
        assertThat(asked.responseFormat().jsonSchema().rootElement())
                .isEqualTo(JsonObjectSchema.builder().addIntegerProperty("x").build());
    }

    @Test
    void anAnswerInOnePieceIsHeard() {
        ChatResponse whole = ChatResponse.builder()
                .aiMessage(AiMessage.builder()
                        .thinking("hm")
                        .text("both")
                        .toolExecutionRequests(
                                List.of(ToolExecutionRequest.builder()
                                        .id("1")
                                        .name("find")
                                        .arguments("{\"q\": 1}")
                                        .build(),
                                        ToolExecutionRequest.builder().name("other").build()))
                        .build())
                .id("r-1")
                .modelName("fake-1-2026")
                .tokenUsage(new TokenUsage(12, 5))
                .finishReason(dev.langchain4j.model.output.FinishReason.TOOL_EXECUTION)
                .build();
        ModelResponse response = hear(new FakeChat.Blocking(request -> whole),
                ModelRequest.of(Message.user("go")));
        assertThat(response.message().parts()).containsExactly(new ReasoningPart("hm"), new TextPart("both"),
                new CallPart("1", "find", "{\"q\": 1}"), new CallPart("", "other", ""));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(response.usage()).isEqualTo(Usage.of(12, 5));
        assertThat(response.model()).isEqualTo("fake-1-2026");
        assertThat(response.responseId()).isEqualTo("r-1");
    }

    @ParameterizedTest
    @EnumSource(dev.langchain4j.model.output.FinishReason.class)
    void everyFinishReasonHasAName(dev.langchain4j.model.output.FinishReason reason) {
        Map<String, FinishReason> expected = Map.of("STOP", FinishReason.STOP, "LENGTH", FinishReason.LENGTH,
                "TOOL_EXECUTION", FinishReason.TOOL_CALLS, "CONTENT_FILTER", FinishReason.CONTENT_FILTER,
                "OTHER",
                FinishReason.OTHER);
        ModelResponse response = hear(
                new FakeChat.Blocking(
                        request -> ChatResponse.builder().aiMessage(OK).finishReason(reason).build()),
                ModelRequest.of(Message.user("go")));
        assertThat(response.finish()).isEqualTo(expected.get(reason.name()));
    }

    @Test
    void whatIsNotReportedIsAbsent() {
        ModelResponse bare = hear(
                new FakeChat.Blocking(request -> ChatResponse.builder().aiMessage(OK).build()),
                ModelRequest.of(Message.user("go")));
        assertThat(bare.usage()).isEqualTo(Usage.NONE);
        assertThat(bare.finish()).isEqualTo(FinishReason.OTHER);
        assertThat(bare.model()).isEqualTo("fake-1");
        assertThat(bare.responseId()).isEmpty();
        assertThat(bare.message().nativePayload()).isNull();
    }

    @Test
    void thoughtsAndSignaturesGoBackToTheirOwnProviderExactly() {
        AiMessage signed = AiMessage.builder()
                .thinking("hm")
                .attributes(Map.of("thinking_signature", "s-1"))
                .toolExecutionRequests(List
                        .of(ToolExecutionRequest.builder().id("p-1").name("find").arguments("{}").build()))
                .build();
        answer = signed;
        AssistantMessage heard = hear(blocking(), ModelRequest.of(Message.user("go"))).message();
        AssistantMessage renamed = new AssistantMessage(List.of(new CallPart("ours", "find", "{}")),
                heard.nativePayload());
        ChatRequest asked = asked(ModelRequest.of(Message.user("go"), renamed,
                Message.replies(new ReplyPart("ours", "find", ReplyPart.Status.OK, "found"))));
        assertThat(asked.messages().get(1)).isEqualTo(signed);
        assertThat(((ToolExecutionResultMessage) asked.messages().get(2)).id()).isEqualTo("p-1");
    }

    @Test
    void aThoughtThatWasCutInsideACharacterKeepsItsSignature() {
        answer = AiMessage.builder()
                .thinking("hm \ud83d")
                .text("hi \ud83d")
                .attributes(Map.of("thinking_signature", "s-1"))
                .build();
        ModelResponse heard = hear(blocking(), ModelRequest.of(Message.user("go")));
        assertThat(heard.text()).startsWith("hi ");
        ChatRequest asked = asked(ModelRequest.of(Message.user("go"), heard.message(), Message.user("more")));
        assertThat(((AiMessage) asked.messages().get(1)).attributes()).containsEntry("thinking_signature",
                "s-1");
    }

    @Test
    void payloadsOfOthersAreIgnored() {
        AssistantMessage foreign = new AssistantMessage(List.of(new ReasoningPart("hm"), new TextPart("hi")),
                new NativePayload("anthropic-messages", Json.of("[]")));
        assertThat(
                asked(ModelRequest.of(Message.user("go"), foreign, Message.user("more"))).messages().get(1))
                .isEqualTo(AiMessage.from("hi"));
    }

    @Test
    void anOwnPayloadThatIsSpoiledIsLeftOut() {
        for (String spoiled : List.of("null", "[]", "{}", "{\"type\":\"USER\",\"contents\":[]}",
                "{\"type\":7}")) {
            AssistantMessage said = new AssistantMessage(List.of(new TextPart("hi")),
                    new NativePayload("langchain4j-mistral_ai", Json.of(spoiled)));
            assertThat(
                    asked(ModelRequest.of(Message.user("go"), said, Message.user("more"))).messages().get(1))
                    .as(spoiled)
                    .isEqualTo(AiMessage.from("hi"));
        }
    }

    @Test
    void theNameIsThatOfTheModel() {
        assertThat(LangChain4jModel.of(blocking()).id()).isEqualTo("fake-1");
        assertThat(LangChain4jModel.of(new FakeChat.Streaming((request, handler) -> {})).id())
                .isEqualTo("Streaming");
        assertThat(LangChain4jModel.of(blocking()).withId("mine").id()).isEqualTo("mine");
        assertThatThrownBy(() -> LangChain4jModel.of(blocking()).withId(" "))
                .hasMessageContaining("must not be blank");
    }

    private FakeChat.Blocking blocking() {
        return new FakeChat.Blocking(request -> ChatResponse.builder().aiMessage(answer).build());
    }

    private ChatRequest asked(ModelRequest request) {
        FakeChat.Blocking model = blocking();
        hear(model, request);
        return model.asked.getFirst();
    }

    private static ModelResponse hear(FakeChat.Blocking model, ModelRequest request) {
        List<ModelEvent> events = new ArrayList<>();
        ModelResponse response = LangChain4jModel.of(model).complete(request, events::add);
        assertThat(ResponseReducer.reduce(events)).isEqualTo(response);
        return response;
    }

    private void refused(Message message, String what) {
        refused(builder -> {}, message, what);
    }

    private void refused(Generation generation, String what) {
        refused(builder -> builder.generation(generation), Message.user("go"), what);
    }

    private void refused(Consumer<ModelRequest.Builder> change, Message message, String what) {
        FakeChat.Blocking model = blocking();
        ModelRequest.Builder request = ModelRequest.builder(List.of(message));
        change.accept(request);
        assertThatThrownBy(() -> LangChain4jModel.of(model).complete(request.build()))
                .isInstanceOfSatisfying(ModelException.class,
                        e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.INVALID_REQUEST))
                .hasMessageContaining(what)
                .hasMessageContaining("leave it out");
        assertThat(model.asked).isEmpty();
    }
}
