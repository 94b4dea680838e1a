package dev.belay.tests.snippets.lutum;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;

import dev.belay.tool.Nested;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.CallInfo;
import dev.belay.toolset.Decision;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.ToolGroup;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.Toolset;
import java.util.List;

/** Nested Toolsets. */
final class NestedSamples {

    private NestedSamples() {}

    record User(String name) {}

    // region nested
    @Tools
    sealed interface DataTools {

        /** Looks up a user. */
        record GetUser(String userId) implements DataTools, ToolInput<User> {}

        /** Lists the orders of a user. */
        record ListOrders(String userId) implements DataTools, ToolInput<List<String>> {}
    }

    @Tools
    sealed interface AppTools {

        /** Searches the web. */
        record WebSearch(String query) implements AppTools, ToolInput<List<String>> {}

        @Nested
        record Data(DataTools tools) implements AppTools {}
    }

    static final Toolset<AppTools> TOOLS = Toolset.of(AppTools.class);
    static final ToolGroup<AppTools, DataTools> DATA = TOOLS.group(AppTools.Data.class, AppTools.Data::tools);
    // endregion

    // region hook
    static Decision<DataTools.GetUser> cachedAlice(CallInfo call, DataTools.GetUser in) {
        return in.userId().equals("alice") ? complete(in, new User("Alice")) : proceed(in);
    }

    static RoundPlan<AppTools> apply(Round<AppTools> round) {
        ToolHooks<AppTools> hooks = ToolHooks.of(TOOLS)
                .in(DATA,
                        ToolHooks.of(DATA.toolset()).on(DataTools.GetUser.class, NestedSamples::cachedAlice));
        return round.apply(hooks);
    }
    // endregion
}
