package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.ToolChoice;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.schema.TypeRef;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.toolset.DeskTools.Guest;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredOutputTest {

    private static final String ANN = "{\"name\":\"Ann\",\"room\":7}";
    private static final Message QUESTION = Message.user("Where is Ann?");

    sealed interface Finding {
        record Found(Guest guest) implements Finding {}

        record Gone(String since) implements Finding {}
    }

    record Room(int number) {
        Room {
            if (number < 1) {
                throw new IllegalArgumentException("rooms count from 1");
            }
        }
    }

    record Page<T>(List<T> items) {}

    record In$(int cents) {}

    record AnAnswerWhoseTypeHasANameThatIsLongerThanWhatAnyProviderAllowsForIt(int n) {}

    @Test
    void anAnswerOfTheShapeIsAValue() {
        var model = new ScriptedModel().reply(ANN);
        var transcript = asked();
        assertThat(transcript.step(model).as(Guest.class).answer())
                .isEqualTo(new Answer.Given<>(new Guest("Ann", 7)));
        assertThat(transcript.messages()).containsExactly(QUESTION, Message.assistant(ANN));
    }

    @Test
    void theSchemaIsSent() {
        var model = new ScriptedModel().reply(ANN);
        asked().step(model).as(Guest.class).answer();
        assertThat(model.requests().getFirst().output()).isEqualTo(OutputSpec.schema("guest", Json.of("""
                {"type": "object",
                 "properties": {"name": {"type": "string"},
                                "room": {"type": "integer", "format": "int32"}},
                 "required": ["name", "room"],
                 "additionalProperties": false}""")));
    }

    @Test
    void aRefusalIsNoWrongShape() {
        var model = new ScriptedModel().refuse("That is private.");
        var transcript = asked();
        assertThat(transcript.step(model).as(Guest.class).answer())
                .isEqualTo(new Answer.Refused<>("That is private."));
        assertThat(model.requests()).hasSize(1);
        assertThat(transcript.messages()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"```json\n" + ANN + "\n```", "```\n" + ANN + "```", "\n " + ANN + "\n",
        "```json\n{\"name\":\"Ann\",\n\"room\":7}\n```\n"})
    void aBlockAroundTheWholeTextIsTakenOff(String text) {
        var model = new ScriptedModel().reply(text);
        assertThat(asked().step(model).as(Guest.class).answer())
                .isEqualTo(new Answer.Given<>(new Guest("Ann", 7)));
    }

    /** Not JSON, the wrong shape, twice in one text: each is told with what was wrong. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', value = {
        "Room 7. | not JSON",
        "{\"name\":\"Ann\" | not JSON",
        "{\"name\":\"Ann\"} | room",
        "{\"name\":\"Ann\",\"room\":\"seven\"} | /room",
        "{\"name\":\"Ann\",\"room\":7,\"floor\":2} | floor",
        "[] | object",
        "null | object",
        ANN + ANN + " | not JSON",
        ANN + "," + ANN + " | not JSON",
        "```json " + ANN + "``` and ```" + ANN + "``` | not JSON",
        "It is ```" + ANN + "``` | not JSON"})
    void aWrongAnswerIsToldWithWhatWasWrong(String wrong, String problem) {
        var model = new ScriptedModel().reply(wrong).reply(ANN);
        var transcript = asked();
        assertThat(transcript.step(model).as(Guest.class).answer())
                .isEqualTo(new Answer.Given<>(new Guest("Ann", 7)));
        assertThat(model.requests()).hasSize(2);
        List<Message> second = model.requests().get(1).messages();
        assertThat(second).hasSize(3).startsWith(QUESTION, Message.assistant(wrong));
        assertThat(((Message.UserMessage) second.get(2)).text()).contains(problem).contains("JSON alone");
        assertThat(transcript.messages()).containsExactly(QUESTION, Message.assistant(ANN));
    }

    @Test
    void twoBlocksAreNotOne() {
        var model = new ScriptedModel().reply("```json\n" + ANN + "\n```\n```json\n" + ANN + "\n```")
                .reply(ANN);
        asked().step(model).as(Guest.class).answer();
        assertThat(model.requests()).hasSize(2);
    }

    @Test
    void aSecondWrongAnswerIsAnErrorWithItsText() {
        var model = new ScriptedModel().reply("Room 7.").reply("{\"room\":7}").reply(ANN);
        var transcript = asked();
        StepException failure = failureOf(() -> transcript.step(model).as(Guest.class).answer());
        assertThat(failure.code()).isEqualTo("invalid_structured_output");
        assertThat(failure.text()).isEqualTo("{\"room\":7}");
        assertThat(failure).hasMessageContaining("name");
        assertThat(model.requests()).hasSize(2);
        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    @Test
    void theCorrectionAsksForTheSameFormTheSameWay() {
        var model = new ScriptedModel().reply("Room 7.").reply(ANN);
        asked().step(model).as(Guest.class).answer();
        ModelRequest first = model.requests().get(0);
        ModelRequest second = model.requests().get(1);
        assertThat(second.output()).isEqualTo(first.output());
        assertThat(second.generation()).isEqualTo(first.generation());
    }

    @Test
    void theCorrectionShowsTheModelItsOwnWordsUnchanged() {
        var payload = new NativePayload("acme", Json.of("{\"signature\":\"x\"}"));
        var model = new ScriptedModel()
                .then(ScriptStep.reasoning("Hm.").andText("Room 7.").nativePayload(payload))
                .reply(ANN);
        asked().step(model).as(Guest.class).answer();
        assertThat(model.requests().get(1).messages().get(1)).isInstanceOfSatisfying(
                Message.AssistantMessage.class, shown -> {
                    assertThat(shown.nativePayload()).isEqualTo(payload);
                    assertThat(shown.reasoning()).isEqualTo("Hm.");
                });
    }

    @Test
    void aCorrectionMayBeARefusalOrEndInAnyOtherWay() {
        var model = new ScriptedModel().reply("Room 7.")
                .refuse("No.")
                .reply("Room 7.")
                .then(ScriptStep.text("{\"name").finish(FinishReason.LENGTH))
                .reply("Room 7.")
                .then(ScriptStep.text(""))
                .reply("Room 7.")
                .error(new ModelException(ModelException.Kind.UNAVAILABLE, "down"));
        var refused = asked();
        assertThat(refused.step(model).as(Guest.class).answer()).isEqualTo(new Answer.Refused<>("No."));
        assertThat(refused.messages()).hasSize(2);
        var transcript = asked();
        assertThat(failureOf(() -> transcript.step(model).as(Guest.class).answer()).code())
                .isEqualTo("output_limit");
        assertThat(failureOf(() -> transcript.step(model).as(Guest.class).answer()).code())
                .isEqualTo("empty_reply");
        assertThatThrownBy(() -> transcript.step(model).as(Guest.class).answer())
                .isInstanceOf(ModelException.class);
        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    @Test
    void ephemeralMessagesAreInTheCorrectionToo() {
        var model = new ScriptedModel().reply("Room 7.").reply(ANN);
        var hint = Message.system("It is late.");
        asked().ephemeral(hint).step(model).as(Guest.class).answer();
        assertThat(model.requests().get(1).messages()).contains(hint);
    }

    /** Row 47. */
    @Test
    void callsWinOverAValidAnswer() {
        var model = new ScriptedModel().then(ScriptStep.text(ANN).andCall("find_guest", FIND_ANN));
        var transcript = asked();
        var round = round(transcript.step(model).as(Guest.class).tools(DeskTools.SET).run());
        assertThat(round.text()).isEqualTo(ANN);
        assertThat(round.calls()).hasSize(1);
        assertThat(transcript.messages()).containsExactly(QUESTION);
    }

    /** Row 47. */
    @Test
    void callsInPlaceOfAnAnswerAreARoundAndNoWrongShape() {
        var model = new ScriptedModel()
                .then(ScriptStep.call("find_guest", FIND_ANN).finish(FinishReason.STOP))
                .then(ScriptStep.text("Let me look.").andCall("find_guest", "{}"))
                .then(ScriptStep.call("find_guest", "{\"na").finish(FinishReason.LENGTH));
        var transcript = asked();
        assertThat(round(transcript.step(model).as(Guest.class).tools(DeskTools.SET).run()).calls())
                .hasSize(1);
        assertThat(round(transcript.step(model).tools(DeskTools.SET).as(Guest.class).run()).issues())
                .hasSize(1);
        assertThat(round(transcript.step(model).tools(DeskTools.SET).as(Guest.class).run()).issues())
                .hasSize(1);
        assertThat(model.requests()).hasSize(3);
    }

    /** Row 47: calls mean a round, also where a correction was asked for. */
    @Test
    void callsInPlaceOfACorrectionAreARound() {
        var model = new ScriptedModel().reply("Room 7.").call("find_guest", FIND_ANN).reply(ANN);
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).as(Guest.class).run());
        ModelRequest correction = model.requests().get(1);
        assertThat(correction.tools()).hasSize(2);
        assertThat(correction.toolChoice()).isEqualTo(ToolChoice.none());
        assertThat(transcript.messages()).containsExactly(QUESTION);
        round.commit(DeskTools.repliesTo(round));
        assertThat(transcript.messages()).hasSize(3).doesNotContain(Message.assistant("Room 7."));
        assertThat(transcript.step(model).tools(DeskTools.SET).as(Guest.class).run())
                .isEqualTo(new Step.Finished<>(new Guest("Ann", 7)));
    }

    @Test
    void bothRequestsArePaid() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(20, 3)))
                .then(ScriptStep.text(ANN).usage(Usage.of(40, 5)));
        var transcript = asked();
        var pool = BudgetPool.of(SpendLimit.tokens(10_000));
        transcript.step(model).budget(pool).as(Guest.class).answer();
        assertThat(transcript.usage()).isEqualTo(Usage.of(60, 8));
        assertThat(pool.spent()).isEqualTo(Usage.of(60, 8));
        assertThat(pool.reserved()).isEqualTo(Usage.of(0, 0));
    }

    @Test
    void aListenerIsToldThatWhatFollowsReplacesWhatWas() {
        var model = new ScriptedModel().reply("Room 7.").reply(ANN);
        List<String> heard = new ArrayList<>();
        asked().step(model).listener(event -> {
            if (event instanceof StepEvent.AskedAgain(String problem)) {
                heard.add("again");
                assertThat(problem).contains("not JSON");
            } else if (event instanceof StepEvent.Streamed(ModelEvent.TextDelta text)) {
                heard.add(text.chunk());
            }
        }).as(Guest.class).answer();
        assertThat(heard).containsExactly("Room 7.", "again", ANN);
    }

    @Test
    void whatARecordRefusesIsTheWrongShape() {
        var model = new ScriptedModel().reply("{\"number\":0}").reply("{\"number\":1}");
        assertThat(asked().step(model).as(Room.class).answer()).isEqualTo(new Answer.Given<>(new Room(1)));
        assertThat(((Message.UserMessage) model.requests().get(1).messages().getLast()).text())
                .contains("rooms count from 1");
    }

    @Test
    void sealedAnswersAreTakenByTheirTag() {
        var model = new ScriptedModel().reply("{\"type\":\"gone\",\"since\":\"May\"}");
        assertThat(asked().step(model).as(Finding.class).answer())
                .isEqualTo(new Answer.Given<Finding>(new Finding.Gone("May")));
    }

    @Test
    void typeArgumentsAreKept() {
        var model = new ScriptedModel().reply("{\"items\":[" + ANN + "]}").reply("{\"2\":" + ANN + "}");
        assertThat(asked().step(model).as(new TypeRef<Page<Guest>>() {}).answer())
                .isEqualTo(new Answer.Given<>(new Page<>(List.of(new Guest("Ann", 7)))));
        assertThat(asked().step(model).tools(DeskTools.SET).as(new TypeRef<Map<String, Guest>>() {}).run())
                .isEqualTo(new Step.Finished<>(Map.of("2", new Guest("Ann", 7))));
    }

    @Test
    void aModelChoosesToolsForTheNextStep() {
        var model = new ScriptedModel().reply("{\"tools\":[\"open_safe\",\"open_safe\",\"rong\"]}")
                .reply("{\"tools\":[\"open_safe\",\"ring\",\"open_safe\"]}")
                .reply("Done.");
        var transcript = asked();
        var chosen = transcript.step(model).as(StructuredOutput.selection(DeskTools.SET)).answer();
        assertThat(model.requests()).hasSize(2);
        var selectors = ((Answer.Given<List<ToolSelector<DeskTools>>>) chosen).value();
        assertThat(selectors).extracting(ToolSelector::name).containsExactly("open_safe", "ring");
        transcript.step(model).tools(DeskTools.SET).only(selectors).run();
        assertThat(model.requests().getLast().tools()).extracting(tool -> tool.name())
                .containsExactly("open_safe", "ring");
    }

    @Test
    void whatIsNoObjectIsRefusedBeforeAnythingIsAsked() {
        var model = new ScriptedModel();
        assertThatThrownBy(() -> asked().step(model).as(String.class))
                .isInstanceOf(UnsupportedTypeException.class)
                .hasMessageContaining("put it into a record");
    }

    @Test
    void anyTypeNameMakesANameThatProvidersTake() {
        var model = new ScriptedModel().reply("{\"cents\":180}").reply("{\"n\":1}");
        assertThat(asked().step(model).as(In$.class).answer())
                .isEqualTo(new Answer.Given<>(new In$(180)));
        asked().step(model)
                .as(AnAnswerWhoseTypeHasANameThatIsLongerThanWhatAnyProviderAllowsForIt.class)
                .answer();
        assertThat(model.requests()).extracting(request -> ((OutputSpec.Schema) request.output()).name())
                .containsExactly("in_",
                        "an_answer_whose_type_has_a_name_that_is_longer_than_what_any_pro");
    }
}
