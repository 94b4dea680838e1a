package dev.belay.tests.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.ToolSearchConfig;
import dev.belay.runtime.plugin.ToolSearchPlugin;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search of tools: what is left out, what is found, and that it stays found. */
class ToolSearchTest {

    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    private static ToolDefinition tool(String name, String description) {
        return ToolDefinition.raw(name, description,
                Json.of("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\","
                        + "\"description\":\"where it is, below the root of the project\"}}}"))
                .effect(ToolEffect.READ);
    }

    private static ToolProvider all(List<ToolDefinition> tools) {
        var provider = StaticToolProvider.builder();
        tools.forEach(tool -> provider.raw(tool, (in, context) -> "ran " + tool.name()));
        return provider.build();
    }

    /** Five hundred tools of one source, of which one rotates pictures. */
    private static ToolProvider many() {
        List<ToolDefinition> tools = new ArrayList<>();
        IntStream.range(0, 499)
                .forEach(
                        i -> tools.add(tool("service_" + i, "Asks service number " + i + " for its state.")));
        tools.add(tool("rotate_picture", "Rotates a picture by a quarter."));
        return all(tools);
    }

    private static ToolProvider few() {
        return all(List.of(tool("add", "Adds."), tool("multiply", "Multiplies.")));
    }

    /** Makes these calls, message by message, then says what it has read. */
    private Model calling(CallPart... calls) {
        return SessionBench.model(request -> {
            requests.add(request);
            int input = request.messages()
                    .stream()
                    .map(Message::toString)
                    .toList()
                    .lastIndexOf(request.messages()
                            .stream()
                            .filter(Message.UserMessage.class::isInstance)
                            .reduce((first, second) -> second)
                            .orElseThrow()
                            .toString());
            long asked = request.messages()
                    .subList(input, request.messages().size())
                    .stream()
                    .filter(Message.AssistantMessage.class::isInstance)
                    .count();
            return asked < calls.length
                    ? SessionBench.calls(List.of(calls[(int) asked]))
                    : SessionBench.text("done: " + SessionBench.lastReplies(request));
        });
    }

    private static CallPart search(String words) {
        return new CallPart("s", "search_tools", "{\"query\":\"" + words + "\"}");
    }

    private static final CallPart ROTATE = new CallPart("r", "rotate_picture", "{\"path\":\"a.png\"}");

    private List<String> offered(int request) {
        return requests.get(request).tools().stream().map(ToolSpec::name).toList();
    }

    private static Belay open(Model model, UnaryOperator<BelayBuilder> with) {
        return with.apply(Belay.builder().model(model)).build();
    }

    @Test
    void fewToolsAreAllOfferedAndThereIsNothingToSearch() throws Exception {
        try (Belay belay = open(calling(), with -> with.tools(few()))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(0)).containsExactly("add", "multiply");
    }

    @Test
    void aSourceThatIsTooLargeIsLeftOutAndItsToolsAreFound() throws Exception {
        try (Belay belay = open(calling(search("rotate a picture"), ROTATE),
                with -> with.tools(few()).tools(many()))) {
            String text = belay.session("s").turn("Go.").run().ended().text();
            assertThat(text).contains("ran rotate_picture");
            assertThat(belay.session("s").calls(1)).extracting(TurnCall::tool)
                    .containsExactly("search_tools", "rotate_picture");
        }
        assertThat(offered(0)).containsExactly("add", "multiply", "search_tools");
        assertThat(offered(1)).contains("rotate_picture", "add", "search_tools").hasSizeLessThan(15);
        assertThat(requests.getFirst().tools().getLast().description()).contains("500 tools of", "service_0");
    }

    @Test
    void aFoundToolStaysForTheSessionAlone() throws Exception {
        try (Belay belay = open(calling(search("rotate a picture")), with -> with.tools(many()))) {
            belay.session("s").turn("Go.").run();
            belay.session("s").turn("Go on.").run();
            belay.session("other").turn("Go.").run();
        }
        assertThat(offered(2)).contains("rotate_picture");
        assertThat(offered(4)).containsExactly("search_tools");
    }

    @Test
    void aToolThatWasUsedIsNotLeftOut() throws Exception {
        try (Belay belay = open(calling(ROTATE), with -> with.tools(many()))) {
            belay.session("s").turn("Go.").maxContextTokens(1_000_000).run();
            belay.session("s").turn("In a small one.").run();
        }
        assertThat(offered(0)).hasSize(500).doesNotContain("search_tools");
        assertThat(offered(2)).containsExactly("rotate_picture", "search_tools");
    }

    /** The next process does not read the messages that a compaction has dropped. */
    @Test
    void aToolThatWasUsedBeforeACompactionIsNotLeftOut() throws Exception {
        var store = new SharedMemory();
        try (Belay belay = open(calling(ROTATE), with -> with.tools(many()).store(store.open()))) {
            belay.session("s").turn("Go.").maxContextTokens(1_000_000).run();
        }
        try (Belay belay = open(calling(), with -> with.tools(many()).store(store.open()))) {
            for (int i = 0; i < 6; i++) {
                belay.session("s").turn("On with number " + i).maxContextTokens(1_000_000).run();
            }
            belay.session("s").compact();
            belay.session("s").turn("Shorter.").maxContextTokens(1_000_000).run();
            assertThat(belay.session("s").history()).singleElement()
                    .satisfies(step -> assertThat(step.dropped()).isPositive());
            belay.session("s").turn("After it.").maxContextTokens(1_000_000).run();
        }
        assertThat(requests.getLast().messages().toString()).doesNotContain("CallPart");
        try (Belay belay = open(calling(), with -> with.tools(many()).store(store.open()))) {
            belay.session("s").turn("In a small one.").run();
        }
        assertThat(offered(requests.size() - 1)).containsExactly("rotate_picture", "search_tools");
    }

    @Test
    void aToolThatIsNotResidentIsFound() throws Exception {
        ToolProvider rare = all(List.of(tool("rare", "Finds rare stamps.").resident(false)));
        try (Belay belay = open(
                calling(search("stamps"), new CallPart("c", "rare", "{\"path\":\"x\"}")),
                with -> with.tools(few()).tools(rare))) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("ran rare");
        }
        assertThat(offered(0)).containsExactly("add", "multiply", "search_tools");
        assertThat(offered(1)).containsExactly("add", "multiply", "rare", "search_tools");
    }

    @Test
    void aRemovedToolIsNotFound() throws Exception {
        ToolProvider rare = all(List.of(tool("rare", "Finds rare stamps.").resident(false),
                tool("secret", "Finds secret stamps.").resident(false)));
        try (Belay belay = open(calling(search("secret stamps")), with -> with.tools(rare))) {
            belay.session("s").tools().setMembership(List.of("secret"), false);
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("rare")
                    .doesNotContain("secret:");
        }
        assertThat(offered(1)).containsExactly("rare", "search_tools");
    }

    @Test
    void aFoundToolWhoseDefinitionChangesMustBeFoundAgain() throws Exception {
        var store = new SharedMemory();
        ToolDefinition rare = tool("rare", "Finds rare stamps.").resident(false);
        try (Belay belay = open(calling(search("stamps")),
                with -> with.tools(all(List.of(rare))).store(store.open()))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(1)).contains("rare");
        try (Belay belay = open(calling(), with -> with.tools(all(List.of(rare))).store(store.open()))) {
            belay.session("s").turn("The same.").run();
        }
        assertThat(offered(2)).contains("rare");
        try (Belay belay = open(calling(),
                with -> with.tools(all(List.of(rare.effect(ToolEffect.ONCE)))).store(store.open()))) {
            belay.session("s").turn("Another.").run();
        }
        assertThat(offered(3)).containsExactly("search_tools");
    }

    @Test
    void whatDoesNotFitSaysSo() throws Exception {
        try (Belay belay = open(calling(search("fly to the moon")), with -> with.tools(many()))) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).contains("No tool fits");
        }
        assertThat(offered(1)).containsExactly("search_tools");
    }

    @Test
    void withoutThePluginEverythingIsOffered() throws Exception {
        try (Belay belay = open(calling(),
                with -> with.tools(many()).configurePlugins(stack -> stack.remove(ToolSearchPlugin.ID)))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(0)).hasSize(500);
    }

    @Test
    void aPluginRanksAndGivesHints() throws Exception {
        ToolProvider rare = all(List.of(tool("one", "First.").resident(false),
                tool("two", "Second.").resident(false)));
        try (Belay belay = open(calling(search("philately")), with -> with.tools(rare)
                .plugin(plugin("hints", on -> on.discovery().hint("two", List.of("philately")))))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(1)).containsExactly("two", "search_tools");
        try (Belay belay = open(calling(search("anything")), with -> with.tools(rare)
                .plugin(plugin("ranker", on -> on.discovery().ranker((words, tools) -> tools.reversed())))
                .configurePlugins(stack -> stack
                        .replace(new ToolSearchPlugin(new ToolSearchConfig(10, 1)))))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(3)).containsExactly("two", "search_tools");
    }

    private static PluginFactory plugin(String id, SessionPlugin made) {
        return new PluginFactory() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return made;
            }
        };
    }

    @Test
    void anOwnToolOfThatNameWins() throws Exception {
        try (Belay belay = open(calling(search("x")),
                with -> with.tools(all(List.of(tool("search_tools", "Mine."))))
                        .tools(all(List.of(tool("rare", "Rare.").resident(false)))))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(offered(0)).containsExactly("search_tools");
        assertThat(requests.getFirst().tools().getFirst().description()).isEqualTo("Mine.");
    }

    @Test
    void aTurnThatIsEnteredAgainOffersTheSameToolsInTheSameWords() throws Exception {
        UnaryOperator<BelayBuilder> with = builder -> builder.tools(few()).tools(many());
        try (var bench = new SessionBench()) {
            var dying = bench.dying(calling(search("rotate a picture")),
                    Death.at(Moment.AFTER, "effect round/1 COMPLETED"), with);
            dying.belay.session("s").turn("Go.").id("in").submit();
            dying.awaitDeath();
            bench.open(calling(search("rotate a picture")), with)
                    .session("s")
                    .input("in")
                    .orElseThrow()
                    .awaitCommit();
        }
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1).tools()).containsAll(requests.get(0).tools());
        assertThat(offered(1)).contains("rotate_picture").hasSizeLessThan(15);
    }

    @Test
    void aTurnThatIsEnteredAgainDoesNotSearchAgain() throws Exception {
        var searches = new AtomicInteger();
        UnaryOperator<BelayBuilder> with = builder -> builder.tools(few())
                .tools(many())
                .plugin(plugin("ranker", on -> on.discovery().ranker((words, tools) -> {
                    searches.incrementAndGet();
                    return tools.reversed();
                })));
        try (var bench = new SessionBench()) {
            var dying = bench.dying(calling(search("anything"), ROTATE),
                    Death.at(Moment.AFTER, "effect round/2 COMPLETED"), with);
            dying.belay.session("s").turn("Go.").id("in").submit();
            dying.awaitDeath();
            assertThat(bench.open(calling(search("anything"), ROTATE), with)
                    .session("s")
                    .input("in")
                    .orElseThrow()
                    .awaitCommit()
                    .text()).contains("ran rotate_picture");
        }
        assertThat(searches).hasValue(1);
    }

    /** Whichever write a process dies at, the found tool is called once and offered as before; a file as well. */
    @Test
    void aKilledTurnHasFoundItsToolOnce(@TempDir Path folder) throws Exception {
        UnaryOperator<BelayBuilder> with = builder -> builder.tools(few()).tools(many());
        Model model = calling(search("rotate a picture"), ROTATE);
        assertThat(PluginHarness.of(() -> plugin("none", on -> {}), model).with(with).input("Go.").verify())
                .isGreaterThan(10);
        var files = new AtomicInteger();
        assertThat(PluginHarness.of(() -> plugin("none", on -> {}), model).with(with).input("Go.").on(() -> {
            Path file = folder.resolve(files.incrementAndGet() + ".db");
            return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        }).verify()).isGreaterThan(10);
    }
}
