package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.ToolSearchConfig;
import dev.belay.runtime.plugin.ToolSearchPlugin;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import java.util.List;

/** The code of {@code docs/tool-search.md}. */
final class SearchSnippets {

    private SearchSnippets() {}

    // region open
    static Belay open(Model model, ToolProvider own, ToolProvider hundreds) {
        return Belay.builder()
                .model(model)
                .tools(own) // a few: always offered
                .tools(hundreds) // too many for the context: found with search_tools
                .build();
    }
    // endregion

    // region share
    static Belay careful(Model model, ToolProvider tools) {
        return Belay.builder()
                .model(model)
                .tools(tools)
                .configurePlugins(stack -> stack.replace(new ToolSearchPlugin(
                        new ToolSearchConfig(5, 3)))) // 5 % of the context, 3 hits a search
                .build();
    }
    // endregion

    // region hints
    static final class Stamps implements PluginFactory {

        @Override
        public String id() {
            return "stamps";
        }

        @Override
        public SessionPlugin build(PluginSession session) {
            return on -> on.discovery().hint("find_stamps", List.of("philately", "collector"));
        }
    }
    // endregion

    /** Tools of a person who collects. */
    public static final class Helper {

        // region body
        /**
         * Prepares everything for a kind of work.
         *
         * @param work what is to be done
         */
        @Tool(effect = ToolEffect.READ)
        public String prepare(String work, SessionToolContext context) {
            List<ToolManifest> found = context.sessions().searchTools(work, 3);
            return "ready: " + found.stream().map(ToolManifest::name).toList();
        }
        // endregion
    }
}
