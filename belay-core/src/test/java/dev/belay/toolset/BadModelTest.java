package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static dev.belay.toolset.DeskTools.repliesTo;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A model that says what it should not: every case has its code, and no valid call is lost. */
class BadModelTest {

    private static final Message QUESTION = Message.user("Where is Ann?");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', nullValues = "-", value = {
        "find_guest | {\"name\":\"Ann\",\"flo | malformed_arguments | column",
        "find_guest | §§ | malformed_arguments | empty",
        "find_guest | Ann | malformed_arguments | line 1",
        "find_guest | " + FIND_ANN + FIND_ANN + " | malformed_arguments | cannot be read as JSON",
        "find_guest | {} | invalid_arguments | name",
        "find_guest | {\"name\":7,\"floor\":2} | invalid_arguments | /name",
        "find_guest | {\"name\":\"Ann\",\"floor\":\"two\"} | invalid_arguments | /floor",
        "find_guest | [] | invalid_arguments | object",
        "find_guest | null | invalid_arguments | object",
        "find_gest | {} | unknown_tool | find_guest",
        "§§ | {} | unknown_tool | there is no tool",
        "rm -rf / | {} | unknown_tool | rm -rf /",
        "open_safe | {\"room\":7} | tool_unavailable | open_safe"})
    void aCallThatCannotBeRunIsAnIssueBesideTheValidOnes(String name, String arguments, String code,
            String words) {
        var model = new ScriptedModel()
                .then(ScriptStep.call("ring", "{}").andCall(name, arguments).andCall("find_guest", FIND_ANN))
                .reply("Sorry.");
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.calls()).extracting(ToolCall::name).containsExactly("ring", "find_guest");
        assertThat(round.issues()).singleElement().satisfies(issue -> {
            assertThat(issue.name()).isEqualTo(name);
            assertThat(issue.arguments()).isEqualTo(arguments);
            assertThat(issue.failure().code()).isEqualTo(code);
            assertThat(issue.failure().message()).contains(words);
        });
        assertThat(round.continueSuggestion()).hasValueSatisfying(text -> assertThat(text).contains(code));
        round.commit(repliesTo(round));
        transcript.step(model).tools(DeskTools.SET).run();
        var replies = ((Message.ToolMessage) model.requests().getLast().messages().getLast()).replies();
        assertThat(replies).extracting(ReplyPart::callId)
                .containsExactly("scripted_1", "scripted_2", "scripted_3");
        assertThat(replies.get(1).text()).startsWith("Error (" + code + "): ");
        assertThat(replies.get(1).status()).isEqualTo(ReplyPart.Status.ERROR);
    }

    @Test
    void callsWithoutIdsGetSomeAndKeepTheirOrder() {
        var model = new ScriptedModel().then(ScriptStep.text("")
                .andCall("", "find_guest", FIND_ANN)
                .andCall("", "find_guest", FIND_ANN)
                .andCall("", "nothing", "{}"));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.calls()).extracting(call -> call.id().value())
                .containsExactly("call_0_0", "call_0_1");
        assertThat(round.issues()).extracting(issue -> issue.id().value()).containsExactly("call_0_2");
        assertThat(committedIds(transcript, round)).containsExactly("call_0_0", "call_0_1", "call_0_2");
    }

    /** Contract S.1, without ids. */
    @Test
    void twoIdenticalCallsWithoutIdsHaveTwoResults() {
        var model = new ScriptedModel().then(
                ScriptStep.text("").andCall("", "find_guest", FIND_ANN).andCall("", "find_guest", FIND_ANN));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        List<String> keys = new ArrayList<>();
        List<ToolReply> replies = round.calls()
                .stream()
                .map(call -> call.run((DeskTools.FindGuest) call.input(), context -> {
                    keys.add(context.idempotencyKey().toString());
                    return new DeskTools.Guest("Ann", keys.size());
                }))
                .toList();
        round.commit(replies);
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        assertThat(((Message.ToolMessage) transcript.messages().getLast()).replies())
                .extracting(ReplyPart::text)
                .containsExactly("{\"name\":\"Ann\",\"room\":1}", "{\"name\":\"Ann\",\"room\":2}");
    }

    @Test
    void repeatedIdsBecomeUnique() {
        var model = new ScriptedModel().then(ScriptStep.text("")
                .andCall("a", "ring", "{}")
                .andCall("a", "find_guest", FIND_ANN)
                .andCall("call_0_1", "ring", "{}"));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(committedIds(transcript, round)).hasSize(3).doesNotHaveDuplicates().startsWith("a");
    }

    /** Contract S.1, with one id. */
    @Test
    void theSameIdInTwoRoundsIsTwoCalls() {
        var model = new ScriptedModel().then(ScriptStep.text("").andCall("a", "find_guest", FIND_ANN))
                .then(ScriptStep.text("").andCall("a", "find_guest", FIND_ANN))
                .reply("Done.");
        var transcript = asked();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            var round = round(transcript.step(model).tools(DeskTools.SET).run());
            var call = round.expectOne();
            round.commit(List.of(call.run((DeskTools.FindGuest) call.input(), context -> {
                keys.add(context.idempotencyKey().toString());
                return new DeskTools.Guest("Ann", 7);
            })));
        }
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(transcript.step(model).tools(DeskTools.SET).run()).isEqualTo(new Step.Finished<>("Done."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "no_such_tool"})
    void ofTenThousandCallsOneThousandAndTwentyFourAreLookedAt(String name) {
        List<AssistantPart> parts = IntStream.range(0, 10_000)
                .<AssistantPart>mapToObj(i -> new CallPart(i % 3 == 0 ? "" : "c" + i % 100, name, "{}"))
                .toList();
        var model = new ScriptedModel()
                .respond(request -> new ModelResponse(new AssistantMessage(parts), FinishReason.TOOL_CALLS,
                        Usage.NONE, "m", ""))
                .reply("Done.");
        var transcript = asked();
        assertTimeout(Duration.ofSeconds(30), () -> {
            var round = round(transcript.step(model).tools(DeskTools.SET).run());
            boolean known = name.equals("ring");
            assertThat(round.calls()).hasSize(known ? 1_024 : 0);
            assertThat(round.issues()).hasSize(known ? 8_976 : 10_000);
            assertThat(round.issues().subList(known ? 0 : 1_024, known ? 8_976 : 10_000))
                    .allSatisfy(issue -> assertThat(issue.failure().code()).isEqualTo("too_many_calls"));
            round.commit(repliesTo(round));
            assertThat(transcript.step(model).tools(DeskTools.SET).run())
                    .isEqualTo(new Step.Finished<>("Done."));
        });
        assertThat(((Message.ToolMessage) transcript.messages().get(2)).replies()).hasSize(10_000);
    }

    @Test
    void theLastCallWithinTheLimitIsRunAndTheNextIsNot() {
        var step = ScriptStep.text("");
        for (int i = 0; i < 1_025; i++) {
            step = step.andCall("ring", "{\"times\":" + i + "}");
        }
        var model = new ScriptedModel().then(step);
        var round = round(asked().step(model).tools(DeskTools.SET).run());
        assertThat(round.calls().getLast().arguments()).isEqualTo("{\"times\":1023}");
        assertThat(round.issues()).singleElement().satisfies(issue -> {
            assertThat(issue.arguments()).isEqualTo("{\"times\":1024}");
            assertThat(issue.failure().message()).contains("1024");
        });
    }

    /** Row 45, seen from a step that offers nothing. */
    @Test
    void aCallWhereNothingIsAvailableIsAnIssue() {
        var model = new ScriptedModel().call("ring", "{}");
        var round = round(asked().step(model).tools(DeskTools.SET).only(List.of()).run());
        assertThat(round.calls()).isEmpty();
        assertThat(round.issues()).singleElement().satisfies(issue -> {
            assertThat(issue.failure().code()).isEqualTo("tool_unavailable");
            assertThat(issue.failure().message()).contains("no tools are available");
        });
    }

    @Test
    void textCallsAndARefusalAtOnceAreARound() {
        var model = new ScriptedModel()
                .then(ScriptStep.text("Maybe.").andCall("find_guest", FIND_ANN).andRefusal("I must not."));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.text()).isEqualTo("Maybe.");
        assertThat(round.calls()).hasSize(1);
        round.commit(repliesTo(round));
        assertThat(transcript.messages().get(1)).isEqualTo(Message.assistant(new TextPart("Maybe."),
                new RefusalPart("I must not."), new CallPart("scripted_1", "find_guest", FIND_ANN)));
    }

    @Test
    void textAndARefusalAreARefusal() {
        var model = new ScriptedModel().then(ScriptStep.text("Maybe.").andRefusal("I must not."));
        assertThat(asked().step(model).answer()).isEqualTo(new Answer.Refused<>("I must not."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void anEmptyMessageIsAnError(String text) {
        var model = new ScriptedModel().then(ScriptStep.text(text).usage(Usage.of(20, 1)))
                .then(ScriptStep.text(text))
                .then(ScriptStep.text(text))
                .reply("Room 7.");
        var transcript = asked();
        StepException empty = failureOf(() -> transcript.step(model).answer());
        assertThat(empty.code()).isEqualTo("empty_reply");
        assertThat(empty.partial()).isPresent();
        assertThat(transcript.usage()).isEqualTo(Usage.of(20, 1));
        assertThat(failureOf(() -> transcript.step(model).tools(DeskTools.SET).run()).code())
                .isEqualTo("empty_reply");
        assertThat(failureOf(() -> transcript.step(model).as(DeskTools.Guest.class).answer()).code())
                .isEqualTo("empty_reply");
        assertThat(transcript.messages()).containsExactly(QUESTION);
        assertThat(transcript.step(model).answer()).isEqualTo(new Answer.Given<>("Room 7."));
    }

    @Test
    void reasoningAloneIsAnEmptyReply() {
        var model = new ScriptedModel().then(ScriptStep.reasoning("Ann, Ann… who is Ann?"));
        assertThat(failureOf(() -> asked().step(model).answer()).code()).isEqualTo("empty_reply");
    }

    private static List<String> committedIds(Transcript transcript, Round<DeskTools> round) {
        round.commit(repliesTo(round));
        List<String> ids = ((AssistantMessage) transcript.messages().get(1)).calls()
                .stream()
                .map(CallPart::id)
                .toList();
        assertThat(((Message.ToolMessage) transcript.messages().get(2)).replies())
                .extracting(ReplyPart::callId)
                .isEqualTo(ids);
        return ids;
    }
}
