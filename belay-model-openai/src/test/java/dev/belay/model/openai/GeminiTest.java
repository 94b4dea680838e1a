package dev.belay.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Usage;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gemini through Google's endpoint for Chat Completions; the streams have the shapes that Google publishes and sends. */
@Timeout(60)
class GeminiTest {

    private static final Message HI = Message.user("Hi");

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void thoughtsAreReasoningAndAreNotSentBack() {
        server.play(WireAnswer.stream(RecordedStreams.thoughtsOfGemini()));
        ModelResponse response = model(Gemini.DEFAULT.withThoughts()).complete(ModelRequest.of(HI));
        assertThat(response.message().reasoning()).isEqualTo("**Adding**\n\nTwo and two.\nDone.");
        assertThat(response.text()).isEqualTo("The sum is 4.");
        assertThat(response.usage()).as("the total has the thoughts")
                .isEqualTo(Usage.of(16, 611).withReasoning(602));
        assertThat(sentAfter(response.message(), Message.user("And?")).at("/messages/1")).contains(
                Json.of("""
                        {"role":"assistant","content":"The sum is 4.","extra_content":{"google":{"thought_signature":"c2ln"}}}"""));
    }

    @Test
    void aWholeMessageHasItsThoughtsInFrontOfItsText() {
        server.play(WireAnswer
                .json("""
                        {"id":"g","model":"gemini-3","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",
                         "content":"<thought>Hm.</thought>Yes, <thought> is a tag.","extra_content":{"google":{"thought":true}}}}]}"""));
        ModelResponse response = model(Gemini.DEFAULT).complete(ModelRequest.of(HI));
        assertThat(response.message().reasoning()).isEqualTo("Hm.");
        assertThat(response.text()).isEqualTo("Yes, <thought> is a tag.");
        assertThat(sentAfter(response.message(), Message.user("And?")).at("/messages/1")).contains(Json.of("""
                {"role":"assistant","content":"Yes, <thought> is a tag."}"""));
    }

    @Test
    void textWithTagsAndWithoutTheMarkIsText() {
        server.play(WireAnswer
                .json("""
                        {"id":"g","model":"gemini-3","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",
                         "content":"<thought>Hm.</thought>"}}]}"""));
        assertThat(model(Gemini.DEFAULT).complete(ModelRequest.of(HI)).text())
                .isEqualTo("<thought>Hm.</thought>");
    }

    @Test
    void signaturesOfCallsGoBack() {
        server.play(WireAnswer.stream(RecordedStreams.callsOfGemini()));
        ModelResponse response = model(Gemini.DEFAULT).complete(ModelRequest.of(HI));
        assertThat(response.calls()).containsExactly(new CallPart("jm4o", "weather", "{\"city\":\"Oslo\"}"),
                new CallPart("k2", "weather", "{\"city\":\"Rome\"}"));
        assertThat(sentAfter(response.message(),
                Message.replies(new ReplyPart("jm4o", "weather", ReplyPart.Status.OK, "cold"),
                        new ReplyPart("k2", "weather", ReplyPart.Status.OK, "warm")))
                .at("/messages/1/tool_calls")).contains(
                        Json.of("""
                                [{"id":"jm4o","type":"function","extra_content":{"google":{"thought_signature":"c2lnbmVk"}},
                                  "function":{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}},
                                 {"id":"k2","type":"function","function":{"name":"weather","arguments":"{\\"city\\":\\"Rome\\"}"}}]"""));
    }

    @Test
    void theFirstCallOfAnotherProviderHasGooglesMark() {
        Message said = Message.assistant(new CallPart("a", "weather", "{}"),
                new CallPart("b", "weather", "{}"));
        Json sent = sentAfter(said,
                Message.replies(new ReplyPart("a", "weather", ReplyPart.Status.OK, "cold"),
                        new ReplyPart("b", "weather", ReplyPart.Status.OK, "warm")));
        assertThat(sent.at("/messages/1/tool_calls/0/extra_content/google/thought_signature"))
                .contains(Json.string("skip_thought_signature_validator"));
        assertThat(sent.at("/messages/1/tool_calls/1/extra_content")).isEmpty();
    }

    @Test
    void anEffortIsSentOnceBesideThoughtsOrAlone() {
        assertThat(sent(Gemini.DEFAULT, "gemini-3-pro", Effort.LOW).get("reasoning_effort"))
                .contains(Json.string("low"));
        assertThat(sent(Gemini.DEFAULT, "gemini-3-pro", Effort.LOW).get("extra_body")).isEmpty();
        Json thinking = sent(Gemini.DEFAULT.withThoughts(), "gemini-3-pro", Effort.LOW);
        assertThat(thinking.get("reasoning_effort")).isEmpty();
        assertThat(thinking.get("extra_body")).contains(Json.of("""
                {"google":{"thinking_config":{"include_thoughts":true,"thinking_level":"low"}}}"""));
        assertThat(sent(Gemini.DEFAULT.withThoughts(), "gemini-2.5-flash", Effort.MEDIUM).get("extra_body"))
                .contains(Json.of("""
                        {"google":{"thinking_config":{"include_thoughts":true,"thinking_budget":8192}}}"""));
    }

    @Test
    void thresholdsOfFiltersAreSentBesideYourOwnFields() {
        Gemini strict = Gemini.DEFAULT.withSafety("HARM_CATEGORY_HARASSMENT", "BLOCK_LOW_AND_ABOVE");
        server.play(WireAnswer.stream(RecordedStreams.callsOfGemini()));
        OpenAiModel.gemini("gemini-3-pro")
                .baseUrl(server.url().toString())
                .gemini(strict)
                .field("extra_body", Json.of("{\"google\":{\"cached_content\":\"cachedContents/1\"}}"))
                .build()
                .complete(ModelRequest.of(HI));
        assertThat(server.requests().getLast().json().get("extra_body")).contains(
                Json.of("""
                        {"google":{"safety_settings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_LOW_AND_ABOVE"}],
                         "cached_content":"cachedContents/1"}}"""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"content_filter: SAFETY", "SAFETY", "PROHIBITED_CONTENT", "RECITATION"})
    void anAnswerThatAFilterStoppedSaysSo(String reason) {
        server.play(WireAnswer.json(ended(reason)));
        assertThat(model(Gemini.DEFAULT).complete(ModelRequest.of(HI)).finish())
                .isEqualTo(FinishReason.CONTENT_FILTER);
    }

    @Test
    void aCallThatGeminiDroppedIsAFaultThatMayPass() {
        server.playAlways(WireAnswer.json(ended("function_call_filter: MALFORMED_FUNCTION_CALL")));
        ModelException failure = catchThrowableOfType(ModelException.class,
                () -> model(Gemini.DEFAULT).withoutRetries().complete(ModelRequest.of(HI)));
        assertThat(failure).hasMessageContaining("function_call_filter: MALFORMED_FUNCTION_CALL");
        assertThat(failure.retryable()).isTrue();
    }

    @Test
    void aWrongKeyNamesItsVariableAndTheOtherProtocolIsRefused() {
        server.play(WireAnswer.of(400, "application/json",
                """
                        [{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"""));
        assertThatThrownBy(() -> model(Gemini.DEFAULT).complete(ModelRequest.of(HI)))
                .hasMessageContaining("set GEMINI_API_KEY");
        assertThatThrownBy(() -> OpenAiModel.gemini("gemini-3-pro").api(OpenAiApi.RESPONSES).build())
                .hasMessageContaining("speaks Chat Completions; leave out api(RESPONSES)");
        assertThat(OpenAiModel.gemini("gemini-3-pro").build())
                .hasToString(
                        "OpenAiModel[gemini-3-pro at https://generativelanguage.googleapis.com/v1beta/openai]");
    }

    @Test
    void thresholdsKeepTheirOrderAndCannotBeChanged() {
        Gemini gemini = Gemini.DEFAULT.withSafety("B", "x").withSafety("A", "y");
        assertThat(gemini.safety()).containsExactly(Map.entry("B", "x"), Map.entry("A", "y"));
        assertThatThrownBy(() -> gemini.safety().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    private static String ended(String reason) {
        return "{\"id\":\"g\",\"model\":\"gemini-3\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"\"},"
                + "\"finish_reason\":\"" + reason + "\"}]}";
    }

    private Json sent(Gemini how, String name, Effort effort) {
        server.play(WireAnswer.stream(RecordedStreams.callsOfGemini()));
        OpenAiModel.gemini(name)
                .baseUrl(server.url().toString())
                .gemini(how)
                .build()
                .complete(ModelRequest.builder(List.of(HI))
                        .generation(Generation.PROVIDER_DECIDES.withEffort(effort))
                        .build());
        return server.requests().getLast().json();
    }

    private Json sentAfter(Message said, Message next) {
        server.play(WireAnswer.stream(RecordedStreams.callsOfGemini()));
        model(Gemini.DEFAULT).complete(ModelRequest.of(HI, said, next));
        return server.requests().getLast().json();
    }

    private Model model(Gemini how) {
        return OpenAiModel.gemini("gemini-3-flash-preview")
                .baseUrl(server.url().toString())
                .gemini(how)
                .build();
    }
}
