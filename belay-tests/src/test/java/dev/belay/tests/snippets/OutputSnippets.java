package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.output.OutputProjector;
import dev.belay.runtime.output.OutputTools;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.Tools;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;

/** The code of {@code docs/output-budget.md}. */
final class OutputSnippets {

    private OutputSnippets() {}

    // region declared
    static ToolDefinition buildLog() {
        return ToolDefinition.raw("build_log", "Shows the log of the last build.",
                Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.READ)
                .budget(new OutputBudget(8 << 10, 200, OutputBudget.Keep.TAIL)); // the end says what failed
    }
    // endregion

    // region configured
    static Belay larger(Model model, ToolProvider tools) {
        var config = ToolOutputBudgetConfig.DEFAULT
                .withTokens(8_000, 32_000) // for one output, and for all outputs of one message
                .withMaxLines(800);
        return Belay.builder()
                .model(model)
                .tools(tools)
                .configurePlugins(stack -> stack.replace(new OutputBudgetPlugin(config)))
                .build();
    }
    // endregion

    // region views
    static Belay shortHistory(Model model, ToolProvider tools) {
        ToolOutputBudgetConfig config = ToolOutputBudgetConfig.DEFAULT;
        ToolOutputBudgetConfig kept = config.withLimit(2 << 10); // later turns see 2 KiB of each output
        OutputProjector views = config.projector()
                .withHistory((batch, shown, keeper) -> kept.show(batch, keeper))
                .withCaller(OutputProjector.CallerView.WHOLE); // listeners hear everything
        return Belay.builder()
                .model(model)
                .tools(tools)
                .configurePlugins(stack -> stack.replace(new OutputBudgetPlugin(config, views)))
                .build();
    }
    // endregion

    // region off
    static Belay unbounded(Model model, ToolProvider tools) {
        return Belay.builder().model(model).tools(tools).plugins(PluginStack.empty()).build();
    }
    // endregion

    /** A set with a slot. */
    @Tools
    sealed interface DeskTools {

        /** Prints a large output. */
        @Tool(effect = ToolEffect.READ)
        record Dump() implements DeskTools, ToolInput<String> {}

        // region slot
        @Nested
        record Outputs(Dynamic call) implements DeskTools {}
        // endregion
    }

    static final Toolset<DeskTools> DESK = Toolset.of(DeskTools.class);
    static final ToolProvider READING = OutputTools.of(ToolOutputBudgetConfig.DEFAULT);

    // region hosted
    static Step<DeskTools, String> ask(OpenTurn turn) {
        return turn.step().tools(DESK).fill(DeskTools.Outputs.class, READING).run();
    }

    static ToolReply reply(ToolCall<DeskTools> call) {
        return switch (call.input()) {
            case DeskTools.Dump in -> call.run(in, context -> "line\n".repeat(100_000));
            case DeskTools.Outputs(var in) -> call.attempt(in, context -> READING.execute(in, context));
        };
    }
    // endregion
}
