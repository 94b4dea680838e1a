package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.SessionId;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.1, O.6: the stacks of a runtime and its agents, and what each session is built with. */
class PluginStackTest {

    private final PluginBench bench = new PluginBench();

    @Test
    void theStackOfARuntimeIsBudgetHistoryAndSearch() {
        assertThat(PluginStack.runtime().factories()).extracting(PluginFactory::id)
                .containsExactly("output-budget", "rolling-history", "tool-search");
        assertThat(PluginStack.empty().factories()).isEmpty();
    }

    private static PluginFactory saying(String id, String text) {
        return PluginBench.plugin(id, on -> on.prompt().contribute(id, Slot.SYSTEM, view -> text));
    }

    @Test
    void aStackIsPushedReplacedInPlaceAndRemoved() throws Exception {
        var stack = PluginStack.empty().push(saying("a", "A")).push(saying("b", "B")).push(saying("c", "C"));
        stack.replace(saying("a", "other A")).remove("b");
        assertThat(stack.factories()).extracting(PluginFactory::id).containsExactly("a", "c");
        assertThatThrownBy(() -> stack.remove("b")).extracting("code").isEqualTo("unknown_plugin");
        assertThatThrownBy(() -> stack.replace(saying("b", "B"))).extracting("code")
                .isEqualTo("unknown_plugin");
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugin(saying("first", "gone"))
                .plugins(stack)
                .configurePlugins(all -> all.push(saying("d", "D")))
                .build()) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(PluginBench.system(bench.requests.getFirst())).contains("other A", "C", "D")
                .doesNotContain("gone");
    }

    /** One factory; each agent says something else to it. */
    @Test
    void aFactoryIsToldTheOptionsOfTheAgentsStack() throws Exception {
        var closed = new AtomicInteger();
        PluginFactory tone = new PluginFactory() {
            @Override
            public String id() {
                return "tone";
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return on -> on.prompt()
                        .contribute("tone", Slot.SYSTEM,
                                view -> "Options: " + session.options() + " " + session.reason());
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        var stack = PluginStack.empty().push(tone).options("tone", Json.of("{\"tone\":\"dry\"}"));
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugins(stack)
                .agent("plain", agent -> agent.model(bench.calling()))
                .agent("own", agent -> agent.model(bench.calling())
                        .plugins(PluginStack.empty().push(tone)))
                .build()) {
            stack.options("tone", Json.of("{\"tone\":\"late\"}"));
            belay.session("s").turn("Hello.").run();
            belay.agent("plain").session("p").turn("Hello.").run();
            belay.agent("own").session("o").turn("Hello.").run();
            belay.session("s").fork("f").turn("Hello.").run();
        }
        assertThat(bench.requests).extracting(PluginBench::system)
                .containsExactly("Options: {\"tone\":\"dry\"} OPEN", "Options: {\"tone\":\"dry\"} OPEN",
                        "Options: {} OPEN", "Options: {\"tone\":\"dry\"} FORK");
        assertThat(closed).as("times closed").hasValue(1);
        assertThatThrownBy(() -> stack.options("absent", Json.NULL)).extracting("code")
                .isEqualTo("unknown_plugin");
        assertThat(stack.remove("tone").push(tone).options("tone")).isEqualTo(Json.EMPTY_OBJECT);
    }

    @Test
    void aFactoryIsToldTheAgentAndTheSessionAbove() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        var watch = PluginBench.built("watch", session -> {
            told.add(session.agent() + " below " + session.parent().map(SessionId::value).orElse("none"));
            return on -> {};
        });
        var delegating = StaticToolProvider.builder()
                .raw(SessionBench.tool("delegate", ToolEffect.ONCE),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("child", "helper")
                                .turn("go", "Go.")
                                .await()
                                .text())
                .build();
        try (Belay belay = Belay.builder()
                .model(SessionBench.calling(List.of(SessionBench.call("a", "delegate"))))
                .tools(delegating)
                .plugin(watch)
                .agent("helper", agent -> agent.model(bench.calling()))
                .build()) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(told).containsExactly("default below none", "helper below s");
    }

    @Test
    void anAgentHasTheBuildersStackUnlessItSetsItsOwn() throws Exception {
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugin(saying("a", "from the builder"))
                .agent("plain", agent -> agent.model(bench.calling()))
                .agent("none", agent -> agent.model(bench.calling()).plugins(PluginStack.empty()))
                .agent("own", agent -> agent.model(bench.calling())
                        .plugins(PluginStack.empty().push(saying("b", "of its own"))))
                .build()) {
            belay.agent("plain").session("p").turn("Hello.").run();
            belay.agent("none").session("n").turn("Hello.").run();
            belay.agent("own").session("o").turn("Hello.").run();
        }
        assertThat(bench.requests).extracting(PluginBench::system)
                .containsExactly("from the builder", "", "of its own");
    }

    /** A session that another process has deleted and made anew under the same id is not the one whose plugins were built. */
    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aSessionThatWasMadeAnewElsewhereHasNewPlugins(String where, @TempDir Path folder) throws Exception {
        var origins = PluginBench.built("origin", session -> on -> on.prompt()
                .contribute("origin", Slot.SYSTEM, view -> "Origin " + session.reason()));
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(bench.calling(), builder -> builder.plugin(origins));
            belay.session("s").turn("Hello.").run();
            belay.session("t").turn("Hello.").run();
            belay.session("u").actions().ids(); // builds plugins of a session that was not made
            var elsewhere = stores.client();
            elsewhere.session("s").delete();
            elsewhere.session("t").fork("s");
            elsewhere.session("t").fork("u");
            belay.session("s").turn("Hello.").run();
            belay.session("u").turn("Hello.").run();
        }
        assertThat(bench.requests).extracting(PluginBench::system)
                .containsExactly("Origin OPEN", "Origin OPEN", "Origin FORK", "Origin FORK");
    }
}
