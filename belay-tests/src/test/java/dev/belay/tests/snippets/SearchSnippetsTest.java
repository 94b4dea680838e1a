package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.Belay;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the code of {@code docs/tool-search.md}. */
class SearchSnippetsTest {

    private final List<ModelRequest> requests = new ArrayList<>();

    private static ToolDefinition tool(String name, String description) {
        return ToolDefinition.raw(name, description, Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.READ);
    }

    private static ToolProvider many() {
        var tools = StaticToolProvider.builder();
        for (int i = 0; i < 300; i++) {
            tools.raw(tool("service_" + i, "Asks service " + i + "."), (in, context) -> "asked");
        }
        return tools.raw(tool("find_stamps", "Looks into the album."), (in, context) -> "found").build();
    }

    private Model calling(CallPart call) {
        return SessionBench.model(request -> {
            requests.add(request);
            return requests.size() == 1
                    ? SessionBench.calls(List.of(call))
                    : SessionBench.text("done: " + SessionBench.lastReplies(request));
        });
    }

    private List<String> offered(int request) {
        return requests.get(request).tools().stream().map(ToolSpec::name).toList();
    }

    private static CallPart search(String words) {
        return new CallPart("c", "search_tools", "{\"query\":\"" + words + "\"}");
    }

    @Test
    void aToolOfALargeSourceIsFound() throws Exception {
        ToolProvider own = StaticToolProvider.builder()
                .raw(tool("add", "Adds."), (in, context) -> "3")
                .build();
        try (Belay belay = SearchSnippets.open(calling(search("look into the album")), own, many())) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(0)).containsExactly("add", "search_tools");
        assertThat(offered(1)).containsExactly("add", "find_stamps", "search_tools");
    }

    @Test
    void anotherShareAndHints() throws Exception {
        try (Belay belay = SearchSnippets.careful(calling(search("service")), many())) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(1)).hasSize(4);
        requests.clear();
        try (Belay belay = Belay.builder()
                .model(calling(search("philately")))
                .tools(many())
                .plugin(new SearchSnippets.Stamps())
                .build()) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(1)).containsExactly("find_stamps", "search_tools");
    }

    @Test
    void aBodySearches() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling(new CallPart("c", "prepare", "{\"work\":\"album\"}")))
                .toolMethods(new SearchSnippets.Helper())
                .tools(many())
                .build()) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("ready: [find_stamps]");
        }
        assertThat(offered(1)).containsExactly("prepare", "find_stamps", "search_tools");
    }
}
