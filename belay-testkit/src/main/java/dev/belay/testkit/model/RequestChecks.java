package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Checks requests on the wire. Contract: N.2 (nothing offered, nothing sent), N.12 (exact replay). */
abstract class RequestChecks extends AnswerChecks {

    RequestChecks() {}

    @Test
    void everythingSaidIsSent() {
        Message call = Message.assistant(new TextPart("Looking."),
                new CallPart("c1", "weather", "{\"city\":\"Paris\"}"));
        Json sent = sent(ModelRequest
                .builder(List.of(Message.system("Be brief."), Message.user("Weather? żółć"), call,
                        Message.replies(new ReplyPart("c1", "weather", ReplyPart.Status.OK, "12 °C")),
                        Message.user("And now?")))
                .tools(List.of(WEATHER))
                .build());
        assertThat(fixture().words(sent)).containsExactly("Be brief.", "Weather? żółć", "Looking.", "12 °C",
                "And now?");
        assertThat(fixture().replyIds(sent)).containsExactly("c1");
    }

    @Test
    void toolsAreSentInTheirOrder() {
        ToolSpec bare = new ToolSpec("bare", "", Json.of("{\"type\":\"object\"}"));
        Json sent = sent(
                ModelRequest.builder(QUESTION.messages()).tools(List.of(WEATHER, CLOCK, bare)).build());
        assertThat(fixture().tools(sent)).containsExactly(WEATHER, CLOCK, bare);
    }

    @Test
    void withoutToolsNothingIsSaidOfThem() {
        Json sent = sent(QUESTION);
        assertThat(fixture().tools(sent)).isEmpty();
        assertThat(fixture().toolChoice(sent)).isEmpty();
        assertThat(sent.text()).doesNotContain("tool");
    }

    @Test
    void everyToolChoiceIsSent() {
        for (ToolChoice choice : List.of(ToolChoice.any(), ToolChoice.none(), ToolChoice.specific("clock"))) {
            assertThat(fixture().toolChoice(sent(choosing(choice)))).contains(choice);
        }
        assertThat(fixture().toolChoice(sent(choosing(ToolChoice.auto()))).orElse(ToolChoice.auto()))
                .isEqualTo(ToolChoice.auto());
    }

    @Test
    void aSchemaForTheAnswerIsSent() {
        Json schema = WEATHER.inputSchema();
        Json sent = sent(
                ModelRequest.builder(QUESTION.messages()).output(OutputSpec.schema("place", schema)).build());
        assertThat(fixture().outputSchema(sent)).contains(schema);
        assertThat(fixture().outputSchema(sent(QUESTION))).isEmpty();
    }

    @Test
    void picturesAreSent() {
        ImagePart inline = new ImagePart("image/png", Source.of(new byte[]{1, 2, 3, (byte) 0xff}));
        assertThat(
                fixture().images(sent(ModelRequest.of(Message.user(new TextPart("What is this?"), inline)))))
                .containsExactly(inline);
    }

    @Test
    void linksToPicturesAreSent() {
        needs(ModelFixture.Feature.IMAGE_LINKS);
        ImagePart link = new ImagePart("image/jpeg", Source.at(URI.create("https://example.org/a.jpg")));
        Json sent = sent(ModelRequest.of(Message.user(new TextPart("And this?"), link)));
        assertThat(fixture().images(sent)).extracting(ImagePart::source).containsExactly(link.source());
    }

    @Test
    void whatIsSetIsSentAndNothingElse() {
        Generation settings = Generation.PROVIDER_DECIDES.withTemperature(0.5).withMaxOutputTokens(321);
        Json sent = sent(ModelRequest.builder(QUESTION.messages()).generation(settings).build());
        assertThat(fixture().generation(sent)).isEqualTo(settings);
        assertThat(fixture().generation(sent(QUESTION)).temperature()).isEmpty();
    }

    @Test
    void theKeyTravelsInAHeaderOnly() {
        Json sent = sent(QUESTION);
        assertThat(server.requests().getLast().headers().values())
                .anyMatch(value -> value.contains(ClientSetup.KEY));
        assertThat(sent.text()).doesNotContain(ClientSetup.KEY);
        assertThat(server.requests().getLast().target()).doesNotContain(ClientSetup.KEY);
        assertThat(model().toString()).doesNotContain(ClientSetup.KEY);
        assertThat(model().id()).contains(ClientSetup.MODEL);
    }

    @Test
    void anAnswerGoesBackExactlyAsItCame() {
        server.play(WireAnswer.stream(fixture().stream(mixed())));
        replaysExactly(fixture().model(setup()));
        server.play(WireAnswer.json(fixture().whole(ResponseReducer.reduce(mixed()))));
        replaysExactly(fixture().model(setup().whole()));
    }

    private void replaysExactly(Model model) {
        AssistantMessage said = model.complete(QUESTION).message();
        NativePayload payload = Objects.requireNonNull(said.nativePayload(), "the native payload");
        Json sent = sent(ModelRequest.of(QUESTION.messages().getFirst(), said, replyTo(said, 0)));
        assertThat(sent.text()).contains(fixture().replayed(payload.payload()));
        assertThat(fixture().words(sent)).containsSubsequence("Let me look.", "12 °C");
        assertThat(fixture().replyIds(sent)).containsExactly("call-a");
    }

    @Test
    void anotherProvidersFormIsNotSent() {
        AssistantMessage foreign = new AssistantMessage(List.of(new TextPart("Said elsewhere.")),
                new NativePayload("somebody-else", Json.of("{\"signature\":\"not for you\"}")));
        Json sent = sent(ModelRequest.of(QUESTION.messages().getFirst(), foreign, Message.user("Go on.")));
        assertThat(sent.text()).doesNotContain("not for you").doesNotContain("signature");
        assertThat(fixture().words(sent)).contains("Said elsewhere.");
    }

    @Test
    void repliesAnswerToTheProvidersOwnIds() {
        server.play(WireAnswer.stream(fixture().stream(answer(FinishReason.TOOL_CALLS,
                new CallStarted(0, "same", "weather"), new CallArguments(0, "{\"city\":\"a\"}"),
                new CallStarted(1, "same", "weather"), new CallArguments(1, "{\"city\":\"b\"}")))));
        ModelResponse response = model().complete(QUESTION);
        AssistantMessage mended = response.message().withCallIds(3);
        assertThat(mended.calls()).extracting(CallPart::id).containsExactly("same", "call_3_1");
        Json sent = sent(ModelRequest.of(QUESTION.messages().getFirst(), mended,
                Message.replies(reply(mended.calls().get(0)), reply(mended.calls().get(1)))));
        assertThat(fixture().replyIds(sent)).containsExactly("same", "same");
    }

    @Test
    void whatWasSentBeforeIsSentTheSameAgain() {
        server.play(WireAnswer.stream(fixture().stream(mixed())));
        List<Message> history = new ArrayList<>(
                List.of(Message.system("Be brief."), Message.user("Weather?")));
        Model model = model();
        AssistantMessage said = model.complete(ModelRequest.builder(history).tools(List.of(WEATHER)).build())
                .message();
        Json first = server.requests().getLast().json();
        history.add(said);
        history.add(replyTo(said, 0));
        Json second = sent(ModelRequest.builder(history).tools(List.of(WEATHER)).build());
        List<String> before = fixture().messages(first);
        assertThat(fixture().messages(second).subList(0, before.size())).isEqualTo(before);
    }

    @Test
    void whatTheProviderShouldCacheIsMarked() {
        needs(ModelFixture.Feature.CACHE_MARKS);
        ModelRequest request = ModelRequest.builder(List.of(Message.system("Be brief."), Message.user("Hi")))
                .tools(List.of(WEATHER))
                .build();
        assertThat(fixture().cacheMarks(sent(request))).isZero();
        server.play(words("ok"));
        fixture().model(setup().withCaching()).complete(request);
        assertThat(fixture().cacheMarks(server.requests().getLast().json())).isPositive();
    }

    private Json sent(ModelRequest request) {
        server.play(words("ok"));
        model().complete(request);
        return server.requests().getLast().json();
    }

    private static ModelRequest choosing(ToolChoice choice) {
        return ModelRequest.builder(QUESTION.messages())
                .tools(List.of(WEATHER, CLOCK))
                .toolChoice(choice)
                .build();
    }

    private static Message replyTo(AssistantMessage said, int call) {
        return Message.replies(reply(said.calls().get(call)));
    }

    private static ReplyPart reply(CallPart call) {
        return new ReplyPart(call.id(), call.name(), ReplyPart.Status.OK, "12 °C");
    }
}
