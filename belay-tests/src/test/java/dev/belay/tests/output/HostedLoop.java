package dev.belay.tests.output;

import static dev.belay.tests.output.OutputBench.LINES;

import dev.belay.runtime.output.OutputTools;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.Tools;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.util.function.Consumer;

/** A loop that a program owns, with a tool of large outputs and a slot for the tools that read them. */
final class HostedLoop {

    /** A toolset. */
    @Tools
    sealed interface Dumps {

        /** A large output. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        record Dump() implements Dumps, ToolInput<String> {}

        /** Reads outputs. */
        @Nested
        record Outputs(Dynamic call) implements Dumps {}
    }

    static final Toolset<Dumps> TOOLS = Toolset.of(Dumps.class);
    private static final ToolProvider READING = OutputTools.of(ToolOutputBudgetConfig.DEFAULT);

    private HostedLoop() {}

    /** One step of a turn. */
    static Step<Dumps, String> step(OpenTurn turn) {
        return turn.step().tools(TOOLS).fill(Dumps.Outputs.class, READING).run();
    }

    /** Runs a call. */
    static ToolReply reply(ToolCall<Dumps> call) {
        return switch (call.input()) {
            case Dumps.Dump in -> call.run(in, context -> LINES);
            case Dumps.Outputs(var in) -> call.attempt(in, context -> READING.execute(in, context));
        };
    }

    /**
     * Runs a turn to its end.
     *
     * @param committed hears of the turn after each round
     * @return the answer
     */
    static String run(Session session, Consumer<OpenTurn> committed) {
        try (OpenTurn turn = session.begin("Go.", "in")) {
            Step<Dumps, String> step = step(turn);
            while (step instanceof Step.NeedsTools<Dumps, String>(var round)) {
                round.commit(round.calls().stream().map(HostedLoop::reply).toList());
                committed.accept(turn);
                step = step(turn);
            }
            return ((Step.Finished<Dumps, String>) step).value();
        }
    }
}
