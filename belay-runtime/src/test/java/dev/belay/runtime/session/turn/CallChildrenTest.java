package dev.belay.runtime.session.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.RetryAdvice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract T.1: with which calls the turns end that they have started. */
class CallChildrenTest {

    private static ToolOutcome failure(ToolFailure.Source source, String code) {
        return new ToolOutcome.Failure(
                new ToolFailure(ToolFailure.Kind.EXECUTION, code, "x", source, RetryAdvice.NEVER));
    }

    @Test
    void whatABodySaysIsAnAnswer() {
        assertThat(List.of(new ToolOutcome.Success(Json.NULL), new ToolOutcome.Rejected("no"),
                failure(ToolFailure.Source.TOOL, "tool_timeout"),
                failure(ToolFailure.Source.RUNTIME, "invalid_output"),
                new ToolOutcome.Failure(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "half_done", "x")
                        .thatMayHaveHappened())))
                .allMatch(CallChildren::isAnswer);
    }

    @Test
    void whatTheRuntimeSaysOfACallThatWasStoppedIsNone() {
        assertThat(List.of(new ToolOutcome.Cancelled("enough"),
                failure(ToolFailure.Source.CANCELLATION, "tool_cancelled"),
                failure(ToolFailure.Source.RUNTIME, "tool_timeout"),
                failure(ToolFailure.Source.RUNTIME, "tool_completion_timeout"),
                new ToolOutcome.Failure(ToolFailure.inDoubt("its process died"))))
                .noneMatch(CallChildren::isAnswer);
    }
}
