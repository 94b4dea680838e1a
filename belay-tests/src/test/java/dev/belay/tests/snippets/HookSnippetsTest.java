package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class HookSnippetsTest {

    private record Plugin(String id, SessionPlugin plugin) implements PluginFactory {

        @Override
        public SessionPlugin build(PluginSession session) {
            return plugin;
        }
    }

    private static Belay open(Model model, SessionPlugin plugin) {
        return Belay.builder()
                .model(model)
                .tools(StaticToolProvider.builder()
                        .raw(SessionBench.tool("pay", ToolEffect.READ),
                                (arguments, context) -> "paid " + arguments.get("amount").orElse(Json.NULL))
                        .raw(SessionBench.tool("look_up", ToolEffect.READ),
                                (arguments, context) -> "it is 4711")
                        .build())
                .plugin(new Plugin("example", plugin))
                .agent("cleaner",
                        agent -> agent.model(SessionBench.model(request -> SessionBench.text("tidy"))))
                .build();
    }

    private static Model calling(String tool, String arguments) {
        return SessionBench.calling(List.of(new CallPart("a", tool, arguments)));
    }

    @Test
    void aHookEditsAndRejects() throws Exception {
        try (Belay belay = open(calling("pay", "{\"amount\":100}"), HookSnippets::limit)) {
            assertThat(belay.session("s").turn("Pay.").run().ended().text()).isEqualTo("done: paid 10");
        }
        try (Belay belay = open(calling("pay", "{\"amount\":5000}"), HookSnippets::limit)) {
            assertThat(belay.session("s").turn("Pay.").run().ended().text())
                    .isEqualTo("done: Rejected: More than 1000 is paid by a person.");
        }
    }

    @Test
    void aHookReplacesAResult() throws Exception {
        try (Belay belay = open(calling("look_up", "{}"), HookSnippets::mask)) {
            assertThat(belay.session("s").turn("Look.").run().ended().text()).isEqualTo("done: (masked)");
        }
    }

    @Test
    void aFailureIsMaskedToo() throws Exception {
        var failing = StaticToolProvider.builder()
                .raw(SessionBench.tool("look_up", ToolEffect.READ), (arguments, context) -> {
                    throw new ToolException("there is no order 4711");
                })
                .build();
        try (Belay belay = Belay.builder()
                .model(calling("look_up", "{}"))
                .tools(failing)
                .plugin(new Plugin("example", HookSnippets::mask))
                .build()) {
            assertThat(belay.session("s").turn("Look.").run().ended().text()).isEqualTo("done: (masked)");
        }
    }

    @Test
    void listenersDoNotHearANumberThatIsCutIntoPieces() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Belay belay = open(new ScriptedModel().then(ScriptStep.text("it is 4711").chunks(1)),
                HookSnippets::hide)) {
            belay.session("s").turn("Go.").stream(event -> {
                if (event instanceof TurnEvent.Text said) {
                    heard.add(said.chunk());
                }
            });
        }
        assertThat(String.join("", heard)).isEqualTo("it is ****");
    }

    @Test
    void aHookReadsWhatWasGivenWithTheInput() throws Exception {
        try (Belay belay = open(calling("pay", "{\"amount\":5}"), HookSnippets::perTenant)) {
            assertThat(HookSnippets.ask(belay)).isEqualTo("done: paid 5");
            assertThat(belay.session("t").turn("Pay.").run().ended().text())
                    .contains("this turn has no tenant");
        }
    }

    @Test
    void aTurnIsReviewedOnce() throws Exception {
        try (Belay belay = open(SessionBench.model(request -> SessionBench.text("sure")),
                HookSnippets::review)) {
            assertThat(belay.session("s").turn("Go.").run().ended().rounds()).isEqualTo(2);
            assertThat(belay.session("s").messages().get(2))
                    .isEqualTo(Message.user("Check your answer once more."));
        }
    }

    @Test
    void answersAreChangedAndChildrenStartedAndListenersTold() throws Exception {
        List<String> ends = new CopyOnWriteArrayList<>();
        try (Belay belay = open(SessionBench.model(request -> SessionBench.text("it is 4711")), on -> {
            HookSnippets.hide(on);
            HookSnippets.count(on, ends);
        })) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("it is ****");
        }
        assertThat(ends).containsExactly("s finished");
        PluginFactory tidy = new PluginFactory() {
            @Override
            public String id() {
                return "tidy";
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return session.isRootSession() ? HookSnippets::tidy : SessionPlugin.NONE;
            }
        };
        try (Belay belay = Belay.builder()
                .model(SessionBench.model(request -> SessionBench.text("done")))
                .agent("cleaner",
                        agent -> agent.model(SessionBench.model(request -> SessionBench.text("tidy"))))
                .plugin(tidy)
                .build()) {
            belay.session("s").turn("Go.").run();
            assertThat(belay.sessions(null, 9).items()).hasSize(2);
        }
    }

    @Test
    void aLongSessionAsksTheSmallModel() throws Exception {
        try (Belay belay = Belay.builder()
                .model(SessionBench.model(request -> SessionBench.text("large")))
                .model("small", SessionBench.model(request -> SessionBench.text("small")))
                .plugin(new Plugin("cheap", HookSnippets::cheap))
                .build()) {
            for (int turn = 1; turn <= 20; turn++) {
                assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("large");
            }
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("small");
        }
    }
}
