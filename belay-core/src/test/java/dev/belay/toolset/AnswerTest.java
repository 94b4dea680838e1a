package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnswerTest {

    private static final String ANN = "{\"name\":\"Ann\",\"room\":7}";

    /** Every sign of a call that a stream can carry: a call begun, a whole one, and the word of the provider alone. */
    private static Stream<Arguments> signs() {
        return Map.of("begun", ScriptStep.call("find_guest", "").finish(FinishReason.STOP),
                "whole", ScriptStep.call("find_guest", FIND_ANN).finish(FinishReason.STOP),
                "whole, and said so", ScriptStep.call("find_guest", FIND_ANN),
                "beside an answer", ScriptStep.text(ANN).andCall("find_guest", FIND_ANN),
                "beside a refusal", ScriptStep.refusal("No.").andCall("find_guest", FIND_ANN),
                "cut by length", ScriptStep.call("find_guest", "{\"na").finish(FinishReason.LENGTH),
                "finish reason alone", ScriptStep.text(ANN).finish(FinishReason.TOOL_CALLS),
                "finish reason and nothing", ScriptStep.text("").finish(FinishReason.TOOL_CALLS))
                .entrySet()
                .stream()
                .flatMap(sign -> Stream.of(true, false)
                        .map(structured -> Arguments.of(sign.getKey(), sign.getValue(), structured)));
    }

    /** Row 45. */
    @ParameterizedTest(name = "{0}, structured: {2}")
    @MethodSource("signs")
    void aSignOfACallIsUnexpectedWithoutTools(String name, ScriptStep sign, boolean structured) {
        var model = new ScriptedModel().then(sign.usage(Usage.of(20, 3)));
        var transcript = asked();
        var request = transcript.step(model);
        StepException failure = failureOf(() -> (structured ? request.as(DeskTools.Guest.class) : request)
                .answer());
        assertThat(failure.code()).isEqualTo("unexpected_tool_call");
        assertThat(failure.partial()).isPresent();
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"));
        assertThat(transcript.usage()).isEqualTo(Usage.of(20, 3));
        assertThat(model.requests()).hasSize(1);
    }

    /** Row 45. */
    @Test
    void theUnexpectedCallIsNamed() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN);
        StepException failure = failureOf(() -> asked().step(model).answer());
        assertThat(failure).hasMessageContaining("find_guest");
        assertThat(failure.partial().orElseThrow().calls()).singleElement()
                .satisfies(call -> assertThat(call.arguments()).isEqualTo(FIND_ANN));
    }

    /** Row 45. */
    @Test
    void aCallInPlaceOfACorrectionIsUnexpectedToo() {
        var model = new ScriptedModel().reply("not JSON").call("find_guest", FIND_ANN);
        var transcript = asked();
        StepException failure = failureOf(() -> transcript.step(model).as(DeskTools.Guest.class).answer());
        assertThat(failure.code()).isEqualTo("unexpected_tool_call");
        assertThat(transcript.messages()).hasSize(1);
    }

    /** Row 46. */
    @Test
    void anAnswerIsAppended() {
        var model = new ScriptedModel().reply("Room 7.");
        var transcript = asked();
        assertThat(transcript.step(model).answer()).isEqualTo(new Answer.Given<>("Room 7."));
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.assistant("Room 7."));
    }

    /** Row 46. */
    @Test
    void aRefusalIsAppended() {
        var model = new ScriptedModel().refuse("No.");
        var transcript = asked();
        assertThat(transcript.step(model).answer()).isEqualTo(new Answer.Refused<>("No."));
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.assistant(new RefusalPart("No.")));
    }

    @Test
    void noToolsAndNoChoiceAreSent() {
        var model = new ScriptedModel().reply("Room 7.");
        asked().step(model).answer();
        assertThat(model.requests().getFirst().tools()).isEmpty();
        assertThat(model.requests().getFirst().toolChoice()).isEqualTo(ToolChoice.auto());
    }
}
