package dev.belay.tests.snippets.lutum;

import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;

import dev.belay.model.Model;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.ToolSelector;
import dev.belay.toolset.Toolset;
import dev.belay.toolset.Transcript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Derive Toolset, Execute Calls, Apply Hooks, ToolHooks Trait, Description Hooks. */
final class ToolsetSamples {

    private ToolsetSamples() {}

    // region toolset
    @Tools
    sealed interface AppTools {

        /** Searches the web. */
        record WebSearch(String query) implements AppTools, ToolInput<List<String>> {}

        /** Reads a file. */
        record ReadFile(String path) implements AppTools, ToolInput<String> {}

        /** Writes a file. */
        record WriteFile(String path, String text) implements AppTools, ToolInput<Boolean> {}
    }

    static final Toolset<AppTools> TOOLS = Toolset.of(AppTools.class);
    // endregion

    // region loop
    static String loop(Transcript transcript, Model model) {
        while (true) {
            switch (transcript.step(model).tools(TOOLS).run()) {
                case Step.NeedsTools(var round) -> {
                    List<ToolReply> replies = new ArrayList<>();
                    for (ToolCall<AppTools> call : round.calls()) {
                        replies.add(switch (call.input()) {
                            case AppTools.WebSearch in -> call.run(in, context -> webSearch(in));
                            case AppTools.ReadFile in -> call.run(in, context -> readFile(in));
                            case AppTools.WriteFile in -> call.run(in, context -> writeFile(in));
                        });
                    }
                    round.commit(replies);
                }
                case Step.Finished(String text) -> {
                    return text;
                }
                case Step.Refused(String why) -> {
                    return "refused: " + why;
                }
            }
        }
    }
    // endregion

    // region plan
    static void applyHooks(Round<AppTools> round, ToolHooks<AppTools> hooks) {
        RoundPlan<AppTools> plan = round.apply(hooks);
        List<ToolReply> pending = new ArrayList<>();
        for (ToolCall<AppTools> call : plan.pending()) {
            pending.add(execute(call));
        }
        plan.commit(pending);
    }
    // endregion

    static ToolReply execute(ToolCall<AppTools> call) {
        return switch (call.input()) {
            case AppTools.WebSearch in -> call.run(in, context -> webSearch(in));
            case AppTools.ReadFile in -> call.run(in, context -> readFile(in));
            case AppTools.WriteFile in -> call.run(in, context -> writeFile(in));
        };
    }

    // region closure
    static final ToolHooks<AppTools> BLOCK = ToolHooks.of(TOOLS)
            .onEvery((call, in) -> in instanceof AppTools.WebSearch search && search.query().equals("secret")
                    ? reject("blocked query")
                    : proceed(in));
    // endregion

    static Step<AppTools, String> describe(Transcript transcript, Model model, ToolHooks<AppTools> hooks) {
        // region describe
        Map<ToolSelector<AppTools>, String> dynamic = hooks.descriptions();

        Step<AppTools, String> outcome = transcript.step(model)
                .tools(TOOLS)
                .describe(dynamic)
                .describe(AppTools.WebSearch.class, "Search only public sources.")
                .run();
        // endregion
        return outcome;
    }

    private static List<String> webSearch(AppTools.WebSearch in) {
        return List.of("Result for: " + in.query());
    }

    private static String readFile(AppTools.ReadFile in) {
        return "text of " + in.path();
    }

    private static boolean writeFile(AppTools.WriteFile in) {
        return !in.text().isEmpty();
    }
}
