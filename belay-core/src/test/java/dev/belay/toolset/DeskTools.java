package dev.belay.toolset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the model of a hotel's front desk may do, for tests of steps. */
@Tools
public sealed interface DeskTools {

    Toolset<DeskTools> SET = Toolset.of(DeskTools.class);

    @Description("Finds a guest.")
    record FindGuest(String name, int floor) implements DeskTools, ToolInput<Guest> {}

    @Description("Rings the bell.")
    record Ring(OptionalInt times) implements DeskTools, ToolInput<Void> {}

    @Description("Opens the safe.")
    @Tool(defaultOn = false)
    record OpenSafe(int room) implements DeskTools, ToolInput<String> {}

    record Guest(String name, int room) {}

    String FIND_ANN = "{\"name\":\"Ann\",\"floor\":2}";

    /** A transcript with a question on it. */
    static Transcript asked() {
        return new Transcript().user("Where is Ann?");
    }

    /** The round that a step asks for. */
    static Round<DeskTools> round(Step<DeskTools, ?> step) {
        assertThat(step).isInstanceOf(Step.NeedsTools.class);
        return ((Step.NeedsTools<DeskTools, ?>) step).round();
    }

    /** A reply to every call of a round. */
    static List<ToolReply> repliesTo(Round<DeskTools> round) {
        return round.calls().stream().map(call -> call.fail("closed")).toList();
    }

    /** What a step that has to fail throws. */
    static StepException failureOf(ThrowingCallable step) {
        StepException failure = catchThrowableOfType(StepException.class, step);
        assertThat(failure).as("the step must fail").isNotNull();
        return failure;
    }
}
