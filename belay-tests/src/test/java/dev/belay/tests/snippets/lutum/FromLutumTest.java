package dev.belay.tests.snippets.lutum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every name on lutum's page has its row on one of our two, and every sample its block. */
class FromLutumTest {

    private static final String PAGE = Project.here().read("docs/from-lutum.md")
            + Project.here().read("docs/from-lutum-hooks.md");
    /** The first cells of all rows. */
    private static final String LEFT = Pattern.compile("(?m)^\\|((?:[^|\\n\\\\]|\\\\.)*)\\|")
            .matcher(PAGE)
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.joining("\n"));

    @ParameterizedTest
    @ValueSource(strings = {"#[tool_input]", "name = \"web_search\"", "output = SearchResult",
        "#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]", "Option<u32>", "<Input>Call",
        "WebSearchArgsCall", ".metadata()", "ToolMetadata", ".input()", ".input_mut()", ".into_input()",
        ".into_parts()", ".complete(output)", "ToolResult", ".handled(output)", "HandledTool<Input, Output>",
        "doc comments on fields", "#[tool_fn]", "Result<Output, Error>", "WebSearchInput`",
        "WebSearchInputCall", "ToolInput", ".call()", "#[skip]", "SearchError", "#[derive(Toolset)]",
        "AppToolsCall", "AppToolsHandled", "AppToolsSelector", "AppToolsHooks`", "AppToolsHooksSet<'h>",
        "HookableToolset", "all()", "name()", "definition()", "definitions()", "try_from_name()",
        "from_name()", "ToolCallWrapper", ".selector()", ".hook(&hooks)", "ToolAvailability<S>", "`Default`",
        "`All`", "Only(Vec<S>)", "DefaultPlus(Vec<S>)", "#[tool(off)]", "#[toolset(off)]",
        ".text_turn(&llm)", ".tools::<AppTools>()", ".available_tools_default_plus(", ".collect()",
        "ToolRequirement<S>", "`Optional`", "AtLeastOne", ".require_any_tool()", "Specific(S)",
        ".require_tool(selector)", "TextStepOutcomeWithTools", "NeedsTools(round)", "Finished(result)",
        "round.tool_calls", "round.commit(&mut session, results)", "round.expect_one()",
        "round.expect_at_most_one()", "round.discard()", "weather_hook", "WeatherHook",
        "weather_description_hook", "WeatherDescriptionHook", "ToolDecision<Input, Output>",
        "#[impl_hooks(AppToolsHooksSet)]", "impl AppToolsHooks for Policy", "ToolDef`", "def.description",
        "AppToolsHooksSet::new()", ".with_hooks(policy)", ".register_hooks(policy)", "#[hooks]",
        ".with_weather_hook(h)", ".register_weather_hook(h)", ".with_weather_description_hook(h)",
        ".with_extended(other)", ".extend(other)", "with_hooks(&policy)", "#[impl_hook(WeatherHook)]",
        "RunNormally(input)", "Complete(output)", "Reject(reason)",
        "#[hook(fallback, custom = tool_decision_pipeline)]", "Unhandled(original_call)",
        "ToolHookOutcome::Handled", "ToolHookOutcome::Rejected", "RejectedToolCall", "source: Hook",
        "lutum::tool_hook", "NormalizeWeather", "CacheTokyo", "round.apply_hooks(&hooks)", "ToolRoundPlan<T>",
        "`pending`", "pending_calls()", "`handled`", "handled_calls()", "`rejected`", "rejected_calls()",
        "recoverable_tool_call_issues()", "continue_suggestion()", "apply_hooks(&more_hooks)",
        "commit(session, pending_results)", "`discard()`", "`ToolHooks<T>`", "RejectedToolCall::from_call",
        "RejectedToolSource::Hook", "ToolHookOutcome::Unhandled(other)", ".describe_tool(selector, text)",
        ".describe_many_tools(overrides)", "*_description_hook", "description_overrides()", "`None`",
        "Some(description)", "WeatherDesc", "#[toolset]", "DataToolsHooksSet<'h>", "app_hooks.data",
        "AppToolsHooksSet::new(DataToolsHooksSet::new())", "register_get_user_hook", "CachedAlice",
        "GetUserHook", "Send + Sync + 'static", "MaybeSend", "MaybeSync", "…HooksSet"})
    void nameHasARow(String name) {
        assertThat(LEFT).contains(name);
    }

    @Test
    void everySectionIsThereInTheOrderOfThePage() {
        assertThat(headings()).containsExactly("Define Tool Input", "Define Tool Function", "Derive Toolset",
                "Availability and Requirements", "Execute Calls", "Tool Hooks Overview",
                "Tool Hook Decisions",
                "Apply Hooks", "ToolHooks Trait", "Description Hooks", "Nested Toolsets",
                "Quirks and Limits");
    }

    @Test
    void everySampleIsShown() {
        Matcher snippet = Pattern.compile("snippets/lutum/(\\w+)Samples\\.java#([\\w-]+) -->").matcher(PAGE);
        assertThat(snippet.results().map(found -> found.group(1) + " " + found.group(2))).containsExactly(
                "Input input", "Input wrapper", "Input function", "Input skip", "Toolset toolset",
                "Availability off", "Availability plus", "Toolset loop", "Weather policy",
                "Weather with-policy", "Weather decisions", "Toolset plan", "Toolset closure",
                "Toolset describe",
                "Weather description", "Nested nested", "Nested hook");
    }

    private static List<String> headings() {
        return Pattern.compile("(?m)^## (.*)$").matcher(PAGE).results().map(found -> found.group(1)).toList();
    }
}
