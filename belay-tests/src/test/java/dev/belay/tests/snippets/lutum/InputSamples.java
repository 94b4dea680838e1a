package dev.belay.tests.snippets.lutum;

import dev.belay.tool.Dynamic;
import dev.belay.tool.FromHost;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** Define Tool Input, Define Tool Function. */
final class InputSamples {

    private InputSamples() {}

    // region input
    record SearchResult(List<String> snippets) {}

    /**
     * Searches the web.
     *
     * @param query The query to search for.
     * @param maxResults Maximum number of results to return.
     */
    @Tool(name = "web_search")
    record WebSearchArgs(String query, OptionalInt maxResults)
            implements
                SearchTools,
                ToolInput<SearchResult> {}
    // endregion

    @Tools
    sealed interface SearchTools permits WebSearchArgs, Methods {}

    @Nested
    record Methods(Dynamic call) implements SearchTools {}

    static final Toolset<SearchTools> SEARCH = Toolset.of(SearchTools.class);

    // region wrapper
    static ToolReply answer(ToolCall<SearchTools> call, WebSearchArgs in) {
        String seen = call.id() + " " + call.name() + " " + call.arguments(); // metadata()
        return call.complete(in, new SearchResult(List.of(seen, in.query()))); // input(), complete(output)
    }
    // endregion

    /** Whose search it is; not for the model to say. */
    record Tenant(String name) {}

    // region function
    static final class Web {

        /**
         * Searches the web.
         *
         * @param query The query to search for.
         * @param maxResults Maximum number of results to return.
         */
        @Tool
        SearchResult webSearch(String query, OptionalInt maxResults) throws IOException {
            return new SearchResult(List.of("Result for: " + query));
        }
    }
    // endregion

    // region skip
    static final class TenantWeb {

        /**
         * Searches what a tenant may see.
         *
         * @param query The query to search for.
         */
        @Tool
        SearchResult tenantSearch(@FromHost Tenant tenant, String query) {
            return new SearchResult(List.of(tenant.name() + ": " + query));
        }
    }
    // endregion
}
