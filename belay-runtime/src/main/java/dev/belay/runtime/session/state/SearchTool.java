package dev.belay.runtime.session.state;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.ToolSearchConfig;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.schema.Shown;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.FoundTools;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** The tool {@code search_tools}, by which a model finds tools that it is not offered. */
final class SearchTool {

    private static final int SHOWN_DESCRIPTION = 200;

    private SearchTool() {}

    /**
     * The tool.
     *
     * @param preview what can be found, for the model
     * @param offered whether the model can call a tool already, by name
     */
    static ToolProvider of(ToolSearchConfig config, String preview, Predicate<String> offered) {
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw(FoundTools.SEARCH,
                        "Finds tools by what they can do; what is found can be called from the next message on. Look for one"
                                + " capability at a time, in a few words such as \"create an issue\". "
                                + preview,
                        Json.of("{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\",\"minLength\":1,"
                                + "\"maxLength\":400,\"description\":\"what the tool shall do\"},"
                                + "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":"
                                + ToolSearchConfig.MOST_HITS + ",\"description\":\"how many tools, "
                                + config.hits()
                                + " if it is left out\"}},\"required\":[\"query\"],\"additionalProperties\":false}"))
                        .effect(ToolEffect.READ), (in, context) -> search(in, context, config, offered))
                .build();
    }

    private static String search(Json in, ToolContext context, ToolSearchConfig config,
            Predicate<String> offered) {
        String query = in.get("query").orElseThrow().asString();
        int limit = in.get("limit").map(Json::asInt).orElse(config.hits());
        Map<String, String> before = new LinkedHashMap<>();
        Map<String, String> found = new LinkedHashMap<>();
        for (ToolManifest tool : ((SessionToolContext) context).sessions().searchTools(query, limit)) {
            (offered.test(tool.name()) ? before : found).put(tool.name(),
                    Shown.inLine(tool.description(), SHOWN_DESCRIPTION));
        }
        return found.isEmpty() && before.isEmpty()
                ? "No tool fits. Try other words for one capability, or do without."
                : FoundTools.reply(found, before);
    }
}
