package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.repliesTo;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.InvalidRequestException;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.RequestProblem;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a provider said goes back to it exactly, and what no provider would take is never sent. */
class ReplayTest {

    /** Digits and order that any detour over another form would lose. */
    private static final NativePayload SIGNED = new NativePayload("acme-messages",
            Json.of("[{\"type\":\"thinking\",\"signature\":\"c2ln\",\"n\":1.10}, {\"b\":1,\"a\":2}]"));

    /** Row 56. */
    @Test
    void anAnswerGoesBackWithItsNativePayload() {
        var model = new ScriptedModel()
                .then(ScriptStep.reasoning("Hm.").andText("Room 7.").nativePayload(SIGNED))
                .reply("Bye.");
        var transcript = asked();
        transcript.step(model).answer();
        transcript.user("Thanks.").step(model).answer();
        assertSentUnchanged(model);
    }

    /** Row 56. */
    @Test
    void aRefusalGoesBackWithItsNativePayload() {
        var model = new ScriptedModel().then(ScriptStep.refusal("No.").nativePayload(SIGNED)).reply("Bye.");
        var transcript = asked();
        transcript.step(model).tools(DeskTools.SET).run();
        transcript.user("Please.").step(model).answer();
        assertSentUnchanged(model);
    }

    /** Row 56: also where ids had to be made up; the provider's stay in the payload. */
    @Test
    void aRoundGoesBackWithItsNativePayload() {
        var model = new ScriptedModel()
                .then(ScriptStep.text("").andCall("", "find_guest", FIND_ANN).nativePayload(SIGNED))
                .reply("Room 7.");
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        round.commit(repliesTo(round));
        transcript.step(model).tools(DeskTools.SET).run();
        assertSentUnchanged(model);
        AssistantMessage sent = (AssistantMessage) model.requests().get(1).messages().get(1);
        assertThat(sent.calls()).containsExactly(new CallPart("call_0_0", "find_guest", FIND_ANN));
    }

    /** Row 56. */
    @Test
    void aForkAndAnEphemeralMessageKeepTheNativePayload() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").nativePayload(SIGNED))
                .reply("Bye.")
                .reply("Bye.");
        var transcript = asked();
        transcript.step(model).answer();
        transcript.fork().user("Thanks.").step(model).answer();
        assertSentUnchanged(model);
        new Transcript().user("Hello")
                .ephemeral(new AssistantMessage(List.of(new TextPart("Hi")), SIGNED))
                .step(model)
                .answer();
        assertSentUnchanged(model);
    }

    /** Row 56: arguments go back as the model wrote them, not as they were understood. */
    @Test
    void argumentsGoBackByteForByte() {
        String odd = "{ \"floor\" : 2e0,\n  \"name\":\"\\u0041nn\" }";
        var model = new ScriptedModel().call("find_guest", odd).reply("Room 7.");
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        round.commit(repliesTo(round));
        transcript.step(model).tools(DeskTools.SET).run();
        AssistantMessage sent = (AssistantMessage) model.requests().get(1).messages().get(1);
        assertThat(sent.calls().getFirst().arguments()).isEqualTo(odd);
    }

    /** Row 57. */
    @Test
    void reasoningNeverBecomesText() {
        var model = new ScriptedModel()
                .then(ScriptStep.reasoning("Ann hides.").andText("I look.").andCall("find_guest", FIND_ANN))
                .then(ScriptStep.reasoning("Do not tell.").andText("Room 7.").nativePayload(SIGNED));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.text()).isEqualTo("I look.");
        round.commit(repliesTo(round));
        assertThat(transcript.step(model).tools(DeskTools.SET).run())
                .isEqualTo(new Step.Finished<>("Room 7."));
        var other = new ScriptedModel("other").reply("Bye.");
        transcript.user("Thanks.").step(other).answer();
        List<AssistantMessage> sent = other.requests()
                .getFirst()
                .messages()
                .stream()
                .filter(AssistantMessage.class::isInstance)
                .map(AssistantMessage.class::cast)
                .toList();
        assertThat(sent).extracting(AssistantMessage::text).containsExactly("I look.", "Room 7.");
        assertThat(sent).extracting(AssistantMessage::reasoning)
                .containsExactly("Ann hides.", "Do not tell.");
        assertThat(sent.getLast().parts()).containsExactly(new ReasoningPart("Do not tell."),
                new TextPart("Room 7."));
    }

    /** Row 57: a model of another provider knows by the payload's name that it is not its own. */
    @Test
    void aPayloadKeepsTheNameOfItsProvider() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").nativePayload(SIGNED));
        var other = new ScriptedModel("other").reply("Bye.");
        var transcript = asked();
        transcript.step(model).answer();
        transcript.user("Thanks.").step(other).answer();
        AssistantMessage sent = (AssistantMessage) other.requests().getFirst().messages().get(1);
        assertThat(sent.nativePayload()).isEqualTo(SIGNED);
        assertThat(sent.text()).isEqualTo("Room 7.");
    }

    /** Row 57. */
    @Test
    void reasoningIsNotReadAsAStructuredAnswer() {
        var model = new ScriptedModel().then(ScriptStep.reasoning("{\"name\":\"Bo\",\"room\":1}")
                .andText("{\"name\":\"Ann\",\"room\":7}"));
        assertThat(asked().step(model).as(DeskTools.Guest.class).answer())
                .isEqualTo(new Answer.Given<>(new DeskTools.Guest("Ann", 7)));
    }

    /** Row 59. */
    @Test
    void anEmptyTranscriptIsNotSent() {
        var model = new ScriptedModel().reply("?");
        assertThat(problems(model, new Transcript())).containsExactly(RequestProblem.NO_MESSAGES);
    }

    /** Row 59. */
    @Test
    void callsWithoutRepliesAreNotSent() {
        var model = new ScriptedModel().reply("?");
        assertThat(problems(model,
                asked().add(Message.assistant(new CallPart("a", "ring", "{}"), new CallPart("b", "ring", "")))
                        .user("And?")))
                .containsExactly(RequestProblem.MISSING_REPLY, RequestProblem.MISSING_REPLY);
    }

    /** Row 59. */
    @Test
    void repeatedIdsWithinAMessageAreNotSent() {
        var model = new ScriptedModel().reply("?");
        assertThat(problems(model,
                asked().add(
                        Message.assistant(new CallPart("a", "ring", "{}"), new CallPart("a", "ring", "{}")))
                        .add(Message.replies(reply("a"), reply("a")))))
                .contains(RequestProblem.REPEATED_CALL_ID);
        assertThat(problems(model,
                asked().add(Message.assistant(new CallPart("a", "ring", "{}")))
                        .add(Message.replies(reply("a"), reply("a")))))
                .containsExactly(RequestProblem.DUPLICATE_REPLY);
    }

    /** Row 59: servers that count their ids from the start in every message are no problem. */
    @Test
    void theSameIdInTwoMessagesIsSent() {
        var model = new ScriptedModel().reply("Rung twice.");
        var call = Message.assistant(new CallPart("a", "ring", "{}"));
        var replies = Message.replies(reply("a"));
        assertThat(asked().add(call).add(replies).add(call).add(replies).step(model).answer())
                .isEqualTo(new Answer.Given<>("Rung twice."));
    }

    /** Row 59. */
    @Test
    void allProblemsAreReportedAtOnceAndNothingIsSpent() {
        var model = new ScriptedModel().reply("?");
        var transcript = asked().add(Message.replies(reply("x")))
                .add(Message.assistant(new CallPart("a", "ring", "{}")))
                .add(Message.assistant(""));
        assertThat(problems(model, transcript)).containsExactly(RequestProblem.FOREIGN_REPLY,
                RequestProblem.MISSING_REPLY, RequestProblem.EMPTY_MESSAGE);
        assertThat(transcript.usage().total()).hasValue(0);
    }

    @Test
    void handMadeHistoryIsSentAsItIs() {
        var model = new ScriptedModel().reply("Bye.");
        var said = Message.assistant(new RefusalPart("No."));
        asked().add(said).step(model).answer();
        assertThat(model.requests().getFirst().messages()).containsExactly(Message.user("Where is Ann?"),
                said);
    }

    private static List<String> problems(ScriptedModel model, Transcript transcript) {
        List<Message> before = transcript.messages();
        assertThatThrownBy(() -> transcript.step(model).tools(DeskTools.SET).run())
                .isInstanceOf(InvalidRequestException.class);
        InvalidRequestException refused = catchThrowableOfType(InvalidRequestException.class,
                () -> transcript.step(model).answer());
        assertThat(refused.code()).isEqualTo("invalid_model_request");
        assertThat(model.requests()).isEmpty();
        assertThat(transcript.messages()).isEqualTo(before);
        return refused.problems().stream().map(RequestProblem::code).toList();
    }

    private static ReplyPart reply(String id) {
        return new ReplyPart(id, "ring", ReplyPart.Status.OK, "(no output)");
    }

    private static void assertSentUnchanged(ScriptedModel model) {
        AssistantMessage sent = (AssistantMessage) model.lastRequest().orElseThrow().messages().get(1);
        assertThat(sent.nativePayload()).isSameAs(SIGNED);
        assertThat(SIGNED.payload().text()).isEqualTo(
                "[{\"type\":\"thinking\",\"signature\":\"c2ln\",\"n\":1.10}, {\"b\":1,\"a\":2}]");
    }
}
