package dev.belay.tests.snippets.lutum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.snippets.lutum.WeatherSamples.AppTools;
import dev.belay.toolset.HookedCall;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.Transcript;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the page says of hooks and their decisions. */
class WeatherSamplesTest {

    @Test
    void policyRejectsABlankCity() {
        RoundPlan<AppTools> plan = plan(WeatherSamples.withPolicy(), " ", "Oslo");
        assertThat(plan.rejected()).singleElement()
                .satisfies(rejected -> assertThat(rejected.reply().outcome().text())
                        .isEqualTo("Rejected: city must not be blank"));
        assertThat(plan.pending()).singleElement()
                .satisfies(call -> assertThat(call.input()).isEqualTo(new AppTools.Weather("Oslo")));
    }

    @Test
    void policyDescribes() {
        assertThat(WeatherSamples.withPolicy().descriptions()).containsOnly(
                Map.entry(WeatherSamples.TOOLS.select(AppTools.Weather.class),
                        "Tells the weather of a city. Use metric units."));
    }

    @Test
    void editReachesTheNextHookAndThePendingCall() {
        RoundPlan<AppTools> plan = plan(WeatherSamples.HOOKS, " Tokyo ", " Oslo ");
        assertThat(plan.handled()).singleElement().satisfies(handled -> {
            assertThat(handled.call().input()).isEqualTo(new AppTools.Weather("Tokyo"));
            assertThat(handled.reply().outcome().text()).isEqualTo("{\"forecast\":\"cached\"}");
        });
        assertThat(plan.pending()).singleElement().satisfies(call -> {
            assertThat(call.input()).isEqualTo(new AppTools.Weather("Oslo"));
            assertThat(call.arguments()).isEqualTo("{\"city\":\" Oslo \"}");
        });
    }

    @Test
    void withoutHooksTheCallIsPendingAsItWas() {
        assertThat(plan(ToolHooks.of(WeatherSamples.TOOLS), " Oslo ").pending()).singleElement()
                .satisfies(call -> {
                    assertThat(call.input()).isEqualTo(new AppTools.Weather(" Oslo "));
                    assertThat(call.apply(WeatherSamples.HOOKS)).isInstanceOf(HookedCall.Pending.class);
                });
    }

    @Test
    void descriptionHookSeesTheStaticDefinition() {
        assertThat(WeatherSamples.descriptions().values())
                .containsExactly("Tells the weather of a city Respond with JSON-safe values.");
    }

    private static RoundPlan<AppTools> plan(ToolHooks<AppTools> hooks, String... cities) {
        ScriptStep script = ScriptStep.text("");
        for (String city : cities) {
            script = script.andCall("weather", "{\"city\":\"" + city + "\"}");
        }
        var step = new Transcript().user("Weather?")
                .step(new ScriptedModel().then(script))
                .tools(WeatherSamples.TOOLS)
                .run();
        return switch (step) {
            case Step.NeedsTools(var round) -> round.apply(hooks);
            case Step.Finished(var text) -> throw new AssertionError(text);
            case Step.Refused(var why) -> throw new AssertionError(why);
        };
    }
}
