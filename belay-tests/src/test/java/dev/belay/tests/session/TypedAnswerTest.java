package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import dev.belay.model.ToolChoice;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.toolset.Answer;
import dev.belay.toolset.StructuredOutput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.8: typed answers in sessions. */
class TypedAnswerTest {

    /** What is asked for. */
    public record Verdict(boolean refund, int cents) {}

    private static final String RIGHT = "{\"refund\":true,\"cents\":1250}";
    private static final Verdict VERDICT = new Verdict(true, 1250);

    private final SessionBench bench = new SessionBench();
    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private Model saying(ModelResponse... replies) {
        Deque<ModelResponse> left = new ArrayDeque<>(List.of(replies));
        return model(request -> {
            requests.add(request);
            return left.removeFirst();
        });
    }

    private Belay open(Model model) {
        return bench.open(model, UnaryOperator.identity());
    }

    @Test
    void theResultOfAnInputThatAskedForATypeGivesIt() throws Exception {
        Belay belay = open(saying(text(RIGHT)));
        TurnResult.Ended result = belay.session("s")
                .turn("Refund?")
                .as(StructuredOutput.of(Verdict.class))
                .run()
                .ended();
        assertThat(result.answer(Verdict.class)).isEqualTo(new Answer.Given<>(VERDICT));
    }

    @Test
    void anAnswerIsAValueOfTheTypeAndTheModelIsToldTheSchema() throws Exception {
        Belay belay = open(saying(text("```json\n" + RIGHT + "\n```")));
        assertThat(belay.session("s").turn("Refund?").answer(Verdict.class))
                .isEqualTo(new Answer.Given<>(VERDICT));
        assertThat(requests.getFirst().output()).isInstanceOfSatisfying(OutputSpec.Schema.class,
                form -> assertThat(form.name()).isEqualTo("verdict"));
    }

    @Test
    void aRefusalIsAnAnswer() throws Exception {
        Belay belay = open(new ScriptedModel().refuse("I must not."));
        assertThat(belay.session("s").turn("Refund?").answer(Verdict.class))
                .isEqualTo(new Answer.Refused<>("I must not."));
    }

    @Test
    void anAnswerOfTheWrongFormIsToldToTheModelOnceAndIsNoPartOfTheConversation() throws Exception {
        Belay belay = open(saying(text("Yes, refund it."), text(RIGHT)));
        assertThat(belay.session("s").turn("Refund?").answer(Verdict.class))
                .isEqualTo(new Answer.Given<>(VERDICT));
        List<Message> corrected = requests.getLast().messages();
        assertThat(corrected).hasSize(3);
        assertThat(((Message.UserMessage) corrected.getLast()).text()).contains("not JSON")
                .contains("with the JSON alone");
        assertThat(belay.session("s").messages()).containsExactly(Message.user("Refund?"),
                Message.assistant(RIGHT));
    }

    @Test
    void aSecondWrongFormStopsTheTurnAndIsThrownWithTheText() throws Exception {
        Belay belay = open(saying(text("{\"refund\":true}"), text("{\"cents\":\"many\"}")));
        assertThatThrownBy(() -> belay.session("s").turn("Refund?").answer(Verdict.class))
                .hasMessageContaining("{\"cents\":\"many\"}")
                .extracting("code")
                .isEqualTo("invalid_structured_output");
        TurnResult.Ended result = belay.session("s").turn(1).orElseThrow().result().orElseThrow();
        assertThat(result.text()).isEmpty();
        assertThat(result.rounds()).isEqualTo(2);
    }

    @Test
    void toolsAreCalledBeforeTheAnswerAndNotForItsCorrection() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                .build();
        Belay belay = bench.open(saying(calls(List.of(call("c", "look"))), text("yes"), text(RIGHT)),
                builder -> builder.tools(tools));
        assertThat(belay.session("s").turn("Refund?").answer(Verdict.class))
                .isEqualTo(new Answer.Given<>(VERDICT));
        assertThat(requests.get(1).toolChoice()).isEqualTo(ToolChoice.auto());
        assertThat(requests.get(2).toolChoice()).isEqualTo(ToolChoice.none());
    }

    @Test
    void theFormIsKeptWithTheInputAndAnotherProcessGoesOnWithTheCorrection() throws Exception {
        var form = StructuredOutput.of(Verdict.class);
        var dying = bench.dying(saying(text("no JSON")), Death.at(Moment.AFTER, "effect round/1 COMPLETED"),
                UnaryOperator.identity());
        try {
            dying.belay.session("s").turn("Refund?").id("in").as(form).submit();
        } catch (StackOverflowError dead) {
            // the process may die before the caller is answered
        }
        dying.awaitDeath();
        Belay second = open(saying(text(RIGHT)));
        TurnResult.Ended result = second.session("s").input("in").orElseThrow().awaitCommit();
        assertThat(result.answer(form)).isEqualTo(new Answer.Given<>(VERDICT));
        assertThat(requests.getLast().messages()).hasSize(3);
        assertThat(((TurnResult.Finished) result).value()).contains(Json.of(RIGHT));
    }

    @Test
    void aStoppedTurnThrowsWhatEndedIt() {
        Belay belay = open(saying());
        assertThatThrownBy(() -> belay.session("s").turn("Refund?").answer(Verdict.class)).extracting("code")
                .isEqualTo("turn_stopped");
    }
}
