package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract N.4: the meaning of an answer, for every loop. */
class ReplyMeaningTest {

    private static final CallPart CALL = new CallPart("a", "find", "{}");
    private static final ReplyMeaning EMPTY = new ReplyMeaning.Unusable("empty_reply",
            "the model answered with neither text nor calls", "");

    private static ModelResponse response(FinishReason finish, AssistantPart... parts) {
        return new ModelResponse(new Message.AssistantMessage(List.of(parts)), finish, Usage.NONE, "m", "");
    }

    private static ReplyMeaning cutAfter(String partial) {
        return new ReplyMeaning.Unusable("output_limit", "the answer was cut at the limit of output tokens",
                partial);
    }

    private static Stream<Arguments> answersWithoutCalls() {
        var text = new TextPart("Room 7.");
        var refusal = new RefusalPart("No.");
        return Stream.of(
                Arguments.of(response(FinishReason.STOP, text), new ReplyMeaning.Text("Room 7.")),
                Arguments.of(response(FinishReason.TOOL_CALLS, text), new ReplyMeaning.Text("Room 7.")),
                Arguments.of(response(FinishReason.STOP, refusal), new ReplyMeaning.Refusal("No.")),
                Arguments.of(response(FinishReason.STOP, text, refusal), new ReplyMeaning.Refusal("No.")),
                Arguments.of(response(FinishReason.REFUSAL, text), new ReplyMeaning.Refusal("Room 7.")),
                Arguments.of(response(FinishReason.CONTENT_FILTER),
                        new ReplyMeaning.Refusal("the answer was filtered")),
                Arguments.of(response(FinishReason.LENGTH, text), cutAfter("Room 7.")),
                Arguments.of(response(FinishReason.LENGTH, refusal), cutAfter("")),
                Arguments.of(response(FinishReason.LENGTH), cutAfter("")),
                Arguments.of(response(FinishReason.STOP), EMPTY),
                Arguments.of(response(FinishReason.TOOL_CALLS), EMPTY),
                Arguments.of(response(FinishReason.STOP, new TextPart(" \n")), EMPTY));
    }

    @ParameterizedTest
    @MethodSource("answersWithoutCalls")
    void anAnswerWithoutCallsHasTheMeaningOfTheTable(ModelResponse response, ReplyMeaning expected) {
        assertThat(ReplyMeaning.of(response)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(FinishReason.class)
    void callsCountWhateverTheFinishReason(FinishReason finish) {
        assertThat(ReplyMeaning.of(response(finish, CALL))).isEqualTo(new ReplyMeaning.Calls());
        assertThat(ReplyMeaning.of(response(finish, new RefusalPart("No."), new TextPart("Well."), CALL)))
                .isEqualTo(new ReplyMeaning.Calls());
    }

    @Test
    void onlyTheLimitOfTokensCutsACallBeforeItsArguments() {
        for (String none : List.of("", " \n")) {
            var call = new CallPart("a", "ring", none);
            for (FinishReason finish : FinishReason.values()) {
                assertThat(response(finish, call).isCut(call)).as(finish + " \"" + none + "\"")
                        .isEqualTo(finish == FinishReason.LENGTH);
            }
        }
        assertThat(response(FinishReason.LENGTH, CALL).isCut(CALL)).isFalse();
    }
}
