package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.toolset.StepEvent.NotOffered;
import dev.belay.toolset.StepEvent.Streamed;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StreamTest {

    private static final Message QUESTION = Message.user("Where is Ann?");
    /** What {@link DeskTools#asked()} is estimated to read. */
    private static final long QUESTION_TOKENS = 4;

    @Test
    void aListenerHearsEverythingInOrderOnTheCallersThread() {
        var model = new ScriptedModel().then(
                ScriptStep.text("Room 7.").chunks("Ro", "om ", "7.").usage(Usage.of(20, 3)));
        List<ModelEvent> heard = new ArrayList<>();
        var caller = Thread.currentThread();
        asked().step(model).listener(event -> {
            assertThat(Thread.currentThread()).isSameAs(caller);
            heard.add(((Streamed) event).event());
        }).answer();
        assertThat(heard).containsExactly(new ModelEvent.Started("scripted", "scripted_1"),
                new ModelEvent.TextDelta("Ro"), new ModelEvent.TextDelta("om "),
                new ModelEvent.TextDelta("7."),
                new ModelEvent.UsageReported(Usage.of(20, 3)),
                new ModelEvent.Finished(FinishReason.STOP, null));
    }

    /** Row 22. */
    @Test
    void aCallThatWasNotOfferedIsToldWhenItBegins() {
        var model = new ScriptedModel().then(ScriptStep.call("find_guest", FIND_ANN)
                .andCall("open_safe", "{\"room\":7}")
                .andCall("find_gest", "{}")
                .chunks(4));
        List<StepEvent> heard = new ArrayList<>();
        var round = round(asked().step(model).listener(heard::add).tools(DeskTools.SET).run());
        List<NotOffered> refused = heard.stream()
                .filter(NotOffered.class::isInstance)
                .map(NotOffered.class::cast)
                .toList();
        assertThat(refused).extracting(NotOffered::index).containsExactly(1, 2);
        assertThat(refused).extracting(NotOffered::name).containsExactly("open_safe", "find_gest");
        assertThat(refused).extracting(event -> event.failure().code())
                .containsExactly("tool_unavailable", "unknown_tool");
        assertThat(refused.get(1).failure().message()).contains("find_guest");
        for (NotOffered event : refused) {
            int at = heard.indexOf(event);
            assertThat(heard.subList(0, at)).noneMatch(
                    before -> before instanceof Streamed(ModelEvent.CallArguments arguments)
                            && arguments.index() == event.index());
        }
        assertThat(round.calls()).hasSize(1);
        assertThat(round.issues()).extracting(issue -> issue.failure().code())
                .containsExactly("tool_unavailable", "unknown_tool");
    }

    /** Row 22. */
    @Test
    void aGateIsAtTheCorrectionToo() {
        var model = new ScriptedModel().reply("Room 7.").call("open_safe", "{\"room\":7}");
        List<StepEvent> heard = new ArrayList<>();
        asked().step(model)
                .listener(heard::add)
                .tools(DeskTools.SET)
                .as(DeskTools.Guest.class)
                .run();
        assertThat(heard).filteredOn(NotOffered.class::isInstance).hasSize(1);
    }

    /** Row 22. */
    @Test
    void aListenerMayStopAtTheGate() {
        var model = new ScriptedModel().then(ScriptStep.text("Hm.").andCall("open_safe", "{\"room\":7}"));
        var transcript = asked();
        StepException stopped = failureOf(() -> transcript.step(model).listener(event -> {
            if (event instanceof NotOffered) {
                throw StepListener.stop();
            }
        }).tools(DeskTools.SET).run());
        assertThat(stopped.code()).isEqualTo("step_stopped");
        assertThat(stopped.text()).isEqualTo("Hm.");
    }

    /** Row 51. */
    @Test
    void aStopEndsTheStepWithWhatWasSaidAndPaysForIt() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7 is on the left.").chunks(4));
        var transcript = asked();
        var pool = BudgetPool.of(SpendLimit.tokens(1_000));
        StepException stopped = failureOf(
                () -> transcript.step(model).budget(pool).listener(stopAtText("om")).answer());
        assertThat(stopped.code()).isEqualTo("step_stopped");
        assertThat(stopped.text()).isEqualTo("Room");
        assertThat(stopped.partial().orElseThrow().finish()).isEqualTo(FinishReason.OTHER);
        assertThat(stopped).hasNoCause();
        assertThat(transcript.messages()).containsExactly(QUESTION);
        assertThat(transcript.usage()).isEqualTo(Usage.of(QUESTION_TOKENS, 1));
        assertThat(pool.spent()).isEqualTo(Usage.of(QUESTION_TOKENS, 1));
        assertThat(pool.reserved()).isEqualTo(Usage.of(0, 0));
    }

    /** Row 51. */
    @Test
    void aListenerThatThrowsEndsTheStepWithWhatWasSaidAndPaysForIt() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7 is on the left.").chunks(4));
        var transcript = asked();
        var pool = BudgetPool.of(SpendLimit.tokens(1_000));
        var thrown = new IllegalStateException("the window is closed");
        StepException failed = failureOf(() -> transcript.step(model).budget(pool).listener(event -> {
            if (event instanceof Streamed(ModelEvent.TextDelta text)) {
                throw thrown;
            }
        }).answer());
        assertThat(failed.code()).isEqualTo("listener_failed");
        assertThat(failed).hasMessageContaining("the window is closed").hasCause(thrown);
        assertThat(failed.text()).isEqualTo("Room");
        assertThat(transcript.messages()).containsExactly(QUESTION);
        assertThat(transcript.usage()).isEqualTo(Usage.of(QUESTION_TOKENS, 1));
        assertThat(pool.spent()).isEqualTo(Usage.of(QUESTION_TOKENS, 1));
        assertThat(pool.reserved()).isEqualTo(Usage.of(0, 0));
    }

    /** Row 51. */
    @Test
    void aListenersModelExceptionIsItsOwnAndNotTheModels() {
        var model = new ScriptedModel().reply("Room 7.");
        var thrown = new ModelException(ModelException.Kind.UNAVAILABLE, "another model was down");
        StepException failed = failureOf(() -> asked().step(model).listener(event -> {
            throw thrown;
        }).answer());
        assertThat(failed.code()).isEqualTo("listener_failed");
        assertThat(failed).hasCause(thrown);
    }

    /** Row 51. */
    @Test
    void anErrorOfAListenerIsContainedAndPaid() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7 is on the left.").chunks(4));
        var transcript = asked();
        var pool = BudgetPool.of(SpendLimit.tokens(1_000));
        assertThatThrownBy(() -> transcript.step(model).budget(pool).listener(event -> {
            if (event instanceof Streamed(ModelEvent.TextDelta text)) {
                throw new AssertionError("not this");
            }
        }).answer()).isInstanceOf(StepException.class)
                .hasMessage("the listener threw: not this")
                .hasCauseInstanceOf(AssertionError.class);
        assertThat(pool.spent()).isEqualTo(Usage.of(QUESTION_TOKENS, 1));
        assertThat(pool.reserved()).isEqualTo(Usage.of(0, 0));
        assertThat(transcript.usage()).isEqualTo(Usage.of(QUESTION_TOKENS, 1));
    }

    /** Row 51. */
    @Test
    void aStopAtTheLastEventIsAStop() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(20, 3)));
        var transcript = asked();
        StepException stopped = failureOf(() -> transcript.step(model).listener(event -> {
            if (event instanceof Streamed(ModelEvent.Finished end)) {
                throw StepListener.stop();
            }
        }).answer());
        assertThat(stopped.text()).isEqualTo("Room 7.");
        assertThat(transcript.messages()).containsExactly(QUESTION);
        assertThat(transcript.usage()).isEqualTo(Usage.of(20, 3));
    }

    /** Row 51. */
    @Test
    void aStopBeforeACorrectionKeepsWhatWasSaid() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(20, 3)));
        var transcript = asked();
        StepException stopped = failureOf(() -> transcript.step(model).listener(event -> {
            if (event instanceof StepEvent.AskedAgain) {
                throw StepListener.stop();
            }
        }).as(DeskTools.Guest.class).answer());
        assertThat(stopped.code()).isEqualTo("step_stopped");
        assertThat(stopped.text()).isEqualTo("Room 7.");
        assertThat(model.requests()).hasSize(1);
        assertThat(transcript.usage()).isEqualTo(Usage.of(20, 3));
        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    @Test
    void aStopBeforeAnythingIsPaidForNothingSaid() {
        var model = new ScriptedModel().reply("Room 7.");
        var transcript = asked();
        StepException stopped = failureOf(() -> transcript.step(model).listener(event -> {
            throw StepListener.stop();
        }).answer());
        assertThat(stopped.text()).isEmpty();
        assertThat(transcript.usage()).isEqualTo(Usage.of(QUESTION_TOKENS, 0));
    }

    @Test
    void aListenerMayRunAnotherTranscript() {
        var model = new ScriptedModel().reply("Room 7.");
        var other = new ScriptedModel().reply("Bonjour");
        var answer = new AtomicReference<Answer<String>>();
        asked().step(model).listener(event -> {
            if (event instanceof Streamed(ModelEvent.TextDelta text)) {
                answer.set(new Transcript().user(text.chunk()).step(other).answer());
            }
        }).answer();
        assertThat(answer.get()).isEqualTo(new Answer.Given<>("Bonjour"));
    }

    private static StepListener stopAtText(String part) {
        return event -> {
            if (event instanceof Streamed(ModelEvent.TextDelta text) && text.chunk().contains(part)) {
                throw StepListener.stop();
            }
        };
    }
}
