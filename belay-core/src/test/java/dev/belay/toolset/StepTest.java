package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static dev.belay.toolset.DeskTools.repliesTo;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelRequest;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepTest {

    private static final Message QUESTION = Message.user("Where is Ann?");

    /** Row 48. */
    @ParameterizedTest
    @EnumSource(FinishReason.class)
    void callsNeedToolsWhateverTheFinishReason(FinishReason reason) {
        var model = new ScriptedModel().then(ScriptStep.call("find_guest", FIND_ANN).finish(reason));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.expectOne().input()).isEqualTo(new DeskTools.FindGuest("Ann", 2));
        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    /** Row 48. */
    @ParameterizedTest
    @EnumSource(FinishReason.class)
    void issuesNeedToolsWhateverTheFinishReason(FinishReason reason) {
        var model = new ScriptedModel().then(ScriptStep.call("find_ghost", "{}").finish(reason));
        var round = round(asked().step(model).tools(DeskTools.SET).run());
        assertThat(round.calls()).isEmpty();
        assertThat(round.issues()).singleElement()
                .satisfies(issue -> assertThat(issue.failure().code()).isEqualTo("unknown_tool"));
    }

    /** Row 48: what lutum left dangling is answered here, so the next request is well-formed. */
    @Test
    void theNextRequestAfterCallsWithFinishStopIsWellFormed() {
        var model = new ScriptedModel()
                .then(ScriptStep.call("find_guest", FIND_ANN).finish(FinishReason.STOP))
                .reply("Room 7.");
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        round.commit(repliesTo(round));
        transcript.step(model).tools(DeskTools.SET).run();
        assertThat(model.requests().getLast().messages()).hasSize(3);
    }

    /** Row 46. */
    @Test
    void aFinishedAnswerIsAppendedWhenRunReturns() {
        var model = new ScriptedModel().reply("Room 7.");
        var transcript = asked();
        assertThat(transcript.step(model).tools(DeskTools.SET).run())
                .isEqualTo(new Step.Finished<>("Room 7."));
        assertThat(transcript.messages()).containsExactly(QUESTION, Message.assistant("Room 7."));
    }

    /** Row 46. */
    @Test
    void aRefusalIsAppendedWhenRunReturns() {
        var model = new ScriptedModel().refuse("That is private.");
        var transcript = asked();
        assertThat(transcript.step(model).tools(DeskTools.SET).run())
                .isEqualTo(new Step.Refused<>("That is private."));
        assertThat(transcript.messages()).containsExactly(QUESTION,
                Message.assistant(new RefusalPart("That is private.")));
    }

    /** Row 46. */
    @Test
    void aRoundEntersOnlyByCommit() {
        var model = new ScriptedModel()
                .then(ScriptStep.text("Let me look.").andCall("c1", "find_guest", FIND_ANN));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.text()).isEqualTo("Let me look.");
        assertThat(transcript.messages()).containsExactly(QUESTION);
        var call = round.expectOne();
        round.commit(List
                .of(call.complete((DeskTools.FindGuest) call.input(), new DeskTools.Guest("Ann", 7))));
        assertThat(transcript.messages()).containsExactly(QUESTION,
                Message.assistant(new TextPart("Let me look."),
                        new CallPart("c1", "find_guest", FIND_ANN)),
                Message.replies(new ReplyPart("c1", "find_guest", ReplyPart.Status.OK,
                        "{\"name\":\"Ann\",\"room\":7}")));
    }

    /** Row 46. */
    @Test
    void closingARoundDropsIt() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("find_guest", FIND_ANN);
        var transcript = asked();
        Round<DeskTools> closed;
        try (var round = round(transcript.step(model).tools(DeskTools.SET).run())) {
            closed = round;
        }
        var discarded = round(transcript.step(model).tools(DeskTools.SET).run());
        discarded.discard();
        assertThat(transcript.messages()).containsExactly(QUESTION);
        for (Round<DeskTools> round : List.of(closed, discarded)) {
            assertThatThrownBy(() -> round.commit(repliesTo(round))).isInstanceOf(CommitException.class)
                    .hasMessageContaining("round_closed")
                    .hasMessageContaining("discarded");
        }
        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    /** Row 52. */
    @Test
    void anAnswerCutByLengthIsAnErrorWithPartialTextAndUsage() {
        var model = new ScriptedModel().then(
                ScriptStep.text("Room se").finish(FinishReason.LENGTH).usage(Usage.of(20, 3)));
        var transcript = asked();
        StepException cut = failureOf(() -> transcript.step(model).tools(DeskTools.SET).run());
        assertThat(cut.code()).isEqualTo("output_limit");
        assertThat(cut.text()).isEqualTo("Room se");
        assertThat(cut.partial()).hasValueSatisfying(partial -> {
            assertThat(partial.usage()).isEqualTo(Usage.of(20, 3));
            assertThat(partial.finish()).isEqualTo(FinishReason.LENGTH);
        });
        assertThat(transcript.messages()).containsExactly(QUESTION);
        assertThat(transcript.usage()).isEqualTo(Usage.of(20, 3));
    }

    /** Row 52. */
    @Test
    void lengthTakesPrecedenceOverEverythingButCalls() {
        var model = new ScriptedModel().then(ScriptStep.text("").finish(FinishReason.LENGTH))
                .then(ScriptStep.refusal("I will no").finish(FinishReason.LENGTH))
                .then(ScriptStep.text("{\"name\":\"Ann\",\"room\":7}").finish(FinishReason.LENGTH))
                .then(ScriptStep.text("{\"name\":\"An").finish(FinishReason.LENGTH));
        var transcript = asked();
        assertThat(failureOf(() -> transcript.step(model).answer()).code()).isEqualTo("output_limit");
        StepException refusal = failureOf(() -> transcript.step(model).answer());
        assertThat(refusal.code()).isEqualTo("output_limit");
        assertThat(refusal.partial().orElseThrow().refusal()).contains("I will no");
        for (int i = 0; i < 2; i++) {
            assertThat(failureOf(() -> transcript.step(model).as(DeskTools.Guest.class).answer()).code())
                    .isEqualTo("output_limit");
        }
        assertThat(transcript.messages()).containsExactly(QUESTION);
        assertThat(model.requests()).hasSize(4);
    }

    @Test
    void aCallCutByLengthIsMalformedAndTheWholeOnesAreDelivered() {
        var model = new ScriptedModel().then(ScriptStep.call("find_guest", FIND_ANN)
                .andCall("find_guest", "{\"name\":\"Bo")
                .finish(FinishReason.LENGTH));
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(round.calls()).singleElement()
                .satisfies(call -> assertThat(call.input()).isEqualTo(new DeskTools.FindGuest("Ann", 2)));
        assertThat(round.issues()).singleElement().satisfies(issue -> {
            assertThat(issue.failure().code()).isEqualTo("malformed_arguments");
            assertThat(issue.arguments()).isEqualTo("{\"name\":\"Bo");
        });
        round.commit(repliesTo(round));
        assertThat(transcript.messages()).hasSize(3);
    }

    /** Without arguments the bell rings once; cut before its arguments it must not ring at all. */
    @Test
    void aCallCutBeforeItsArgumentsIsNotACallWithout() {
        var model = new ScriptedModel().then(ScriptStep.call("ring", ""))
                .then(ScriptStep.call("ring", "").finish(FinishReason.LENGTH));
        var transcript = asked();
        assertThat(round(transcript.step(model).tools(DeskTools.SET).run()).calls()).hasSize(1);
        var cut = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(cut.calls()).isEmpty();
        assertThat(cut.issues()).singleElement().satisfies(issue -> {
            assertThat(issue.failure().code()).isEqualTo("malformed_arguments");
            assertThat(issue.failure().message()).contains("ring", "cut at the limit");
        });
    }

    @Test
    void aFilteredAnswerIsARefusal() {
        var model = new ScriptedModel().then(ScriptStep.text("Ann is").finish(FinishReason.CONTENT_FILTER));
        var transcript = asked();
        assertThat(transcript.step(model).answer()).isEqualTo(new Answer.Refused<>("Ann is"));
        assertThat(transcript.messages()).hasSize(2);
    }

    @Test
    void aRefusalWithoutAWordLeavesATranscriptThatCanBeSent() {
        for (FinishReason reason : List.of(FinishReason.CONTENT_FILTER, FinishReason.REFUSAL)) {
            var model = new ScriptedModel().then(ScriptStep.text("").finish(reason)).reply("Sorry.");
            var transcript = asked();
            assertThat(transcript.step(model).answer()).isInstanceOf(Answer.Refused.class);
            assertThat(transcript.messages()).hasSize(2);
            transcript.user("Why?");
            assertThat(transcript.step(model).answer()).isEqualTo(new Answer.Given<>("Sorry."));
        }
    }

    @Test
    void aFinishReasonOfCallsWithoutCallsIsAnAnswer() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").finish(FinishReason.TOOL_CALLS));
        assertThat(asked().step(model).tools(DeskTools.SET).run()).isEqualTo(new Step.Finished<>("Room 7."));
    }

    @Test
    void whatWasSetBeforeToolsAndFormReachesTheModel() {
        var model = new ScriptedModel().then(
                ScriptStep.text("{\"name\":\"Ann\",\"room\":7}").usage(Usage.of(9, 9)));
        var generation = Generation.PROVIDER_DECIDES.withTemperature(0.5).withMaxOutputTokens(40);
        var pool = BudgetPool.of(SpendLimit.tokens(1_000));
        List<ModelRequest> estimated = new ArrayList<>();
        List<StepEvent> heard = new ArrayList<>();
        var step = asked().step(model)
                .generation(generation)
                .budget(pool)
                .listener(heard::add)
                .estimator(request -> {
                    estimated.add(request);
                    return Usage.of(1, 1);
                })
                .tools(DeskTools.SET)
                .as(DeskTools.Guest.class)
                .run();
        assertThat(step).isEqualTo(new Step.Finished<>(new DeskTools.Guest("Ann", 7)));
        ModelRequest request = model.requests().getFirst();
        assertThat(request.generation()).isEqualTo(generation);
        assertThat(request.tools()).extracting(ToolSpec::name).containsExactly("find_guest", "ring");
        assertThat(request.output()).isInstanceOfSatisfying(OutputSpec.Schema.class,
                form -> assertThat(form.name()).isEqualTo("guest"));
        assertThat(estimated).containsExactly(request);
        assertThat(pool.spent()).isEqualTo(Usage.of(9, 9));
        assertThat(heard).last()
                .isEqualTo(new StepEvent.Streamed(new ModelEvent.Finished(FinishReason.STOP, null)));
    }

    @Test
    void aLimitSetBeforeToolsHoldsAfterwards() {
        var model = new ScriptedModel();
        StepException refused = failureOf(() -> asked().step(model)
                .limit(SpendLimit.tokens(1))
                .tools(DeskTools.SET)
                .as(DeskTools.Guest.class)
                .run());
        assertThat(refused.code()).isEqualTo("resource_limit");
    }

    @Test
    void aRequestCanBeRunAgain() {
        var model = new ScriptedModel().reply("Room 7.").reply("Room 7 still.");
        var transcript = asked();
        var request = transcript.step(model).tools(DeskTools.SET);
        assertThat(request.run()).isEqualTo(new Step.Finished<>("Room 7."));
        transcript.user("And now?");
        assertThat(request.run()).isEqualTo(new Step.Finished<>("Room 7 still."));
        assertThat(model.requests().getLast().messages()).hasSize(3);
    }
}
