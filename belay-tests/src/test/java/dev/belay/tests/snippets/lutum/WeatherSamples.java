package dev.belay.tests.snippets.lutum;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.CallInfo;
import dev.belay.toolset.Decision;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolSelector;
import dev.belay.toolset.Toolset;
import java.util.Map;
import java.util.Optional;

/** Tool Hooks Overview, Tool Hook Decisions, Description Hooks. */
final class WeatherSamples {

    private WeatherSamples() {}

    record WeatherResult(String forecast) {}

    @Tools
    sealed interface AppTools {

        /** Tells the weather of a city */
        record Weather(String city) implements AppTools, ToolInput<WeatherResult> {}
    }

    static final Toolset<AppTools> TOOLS = Toolset.of(AppTools.class);

    // region policy
    static final class Policy {

        Decision<AppTools.Weather> weather(CallInfo call, AppTools.Weather in) {
            return in.city().isBlank() ? reject("city must not be blank") : proceed(in);
        }

        Optional<String> describeWeather(ToolDefinition tool) {
            return Optional.of(tool.manifest().description() + ". Use metric units.");
        }
    }
    // endregion

    static ToolHooks<AppTools> withPolicy() {
        // region with-policy
        var policy = new Policy();
        ToolHooks<AppTools> hooks = ToolHooks.of(TOOLS)
                .on(AppTools.Weather.class, policy::weather)
                .describe(AppTools.Weather.class, policy::describeWeather);
        // endregion
        return hooks;
    }

    // region decisions
    static Decision<AppTools.Weather> normalizeWeather(CallInfo call, AppTools.Weather in) {
        return proceed(new AppTools.Weather(in.city().strip()));
    }

    static Decision<AppTools.Weather> cacheTokyo(CallInfo call, AppTools.Weather in) {
        return in.city().equals("Tokyo") ? complete(in, new WeatherResult("cached")) : proceed(in);
    }

    static final ToolHooks<AppTools> HOOKS = ToolHooks.of(TOOLS)
            .on(AppTools.Weather.class, WeatherSamples::normalizeWeather)
            .on(AppTools.Weather.class, WeatherSamples::cacheTokyo);
    // endregion

    static Map<ToolSelector<AppTools>, String> descriptions() {
        // region description
        ToolHooks<AppTools> hooks = ToolHooks.of(TOOLS)
                .describe(AppTools.Weather.class,
                        tool -> Optional
                                .of(tool.manifest().description() + " Respond with JSON-safe values."));
        Map<ToolSelector<AppTools>, String> overrides = hooks.descriptions();
        // endregion
        return overrides;
    }
}
