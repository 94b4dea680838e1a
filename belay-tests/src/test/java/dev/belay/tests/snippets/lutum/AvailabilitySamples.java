package dev.belay.tests.snippets.lutum;

import dev.belay.model.Model;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.Step;
import dev.belay.toolset.Toolset;
import dev.belay.toolset.Transcript;
import java.util.List;

/** Availability and Requirements. */
final class AvailabilitySamples {

    private AvailabilitySamples() {}

    // region off
    @Tools
    sealed interface AppTools {

        /** Searches the web. */
        record WebSearch(String query) implements AppTools, ToolInput<List<String>> {}

        /** Reads a file. */
        record ReadFile(String path) implements AppTools, ToolInput<String> {}

        /** Deletes a file. */
        @Tool(defaultOn = false)
        record DeleteFile(String path) implements AppTools, ToolInput<Boolean> {}
    }
    // endregion

    static final Toolset<AppTools> TOOLS = Toolset.of(AppTools.class);

    static Step<AppTools, String> plus(Transcript transcript, Model model) {
        // region plus
        Step<AppTools, String> outcome = transcript.step(model)
                .tools(TOOLS)
                .plus(AppTools.DeleteFile.class)
                .run();
        // endregion
        return outcome;
    }
}
