package dev.belay.tests.snippets.lutum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.snippets.lutum.NestedSamples.AppTools;
import dev.belay.tests.snippets.lutum.NestedSamples.DataTools;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolSelector;
import dev.belay.toolset.Transcript;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the page says of nested sets. */
class NestedSamplesTest {

    @Test
    void nestedToolsStandInPlace() {
        assertThat(NestedSamples.TOOLS.selectors()).extracting(ToolSelector::name)
                .containsExactly("web_search", "get_user", "list_orders");
        assertThat(NestedSamples.TOOLS.find("get_user"))
                .contains(NestedSamples.DATA.select(DataTools.GetUser.class));
    }

    @Test
    void nestedHookAnswersUnderTheOuterSet() {
        var step = new Transcript().user("Who?")
                .step(new ScriptedModel().then(ScriptStep.call("get_user", "{\"userId\":\"alice\"}")
                        .andCall("get_user", "{\"userId\":\"bob\"}")))
                .tools(NestedSamples.TOOLS)
                .run();
        RoundPlan<AppTools> plan = switch (step) {
            case Step.NeedsTools(var round) -> NestedSamples.apply(round);
            case Step.Finished(var text) -> throw new AssertionError(text);
            case Step.Refused(var why) -> throw new AssertionError(why);
        };
        assertThat(plan.handled()).singleElement().satisfies(handled -> {
            assertThat(handled.call().input()).isEqualTo(new AppTools.Data(new DataTools.GetUser("alice")));
            assertThat(handled.reply().outcome().text()).isEqualTo("{\"name\":\"Alice\"}");
        });
        assertThat(plan.pending()).singleElement()
                .satisfies(call -> assertThat(call.input())
                        .isEqualTo(new AppTools.Data(new DataTools.GetUser("bob"))));
    }

    @Test
    void nestedDescriptionsComeUnderTheOuterSelector() {
        ToolHooks<AppTools> hooks = ToolHooks.of(NestedSamples.TOOLS)
                .in(NestedSamples.DATA, ToolHooks.of(NestedSamples.DATA.toolset())
                        .describe(DataTools.GetUser.class, tool -> Optional.of("Looks up one of ours.")));
        assertThat(hooks.descriptions()).hasSize(1)
                .containsEntry(NestedSamples.DATA.select(DataTools.GetUser.class), "Looks up one of ours.");
    }
}
