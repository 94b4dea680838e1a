package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolProvider;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class OutputSnippetsTest {

    private static final String LOG = "ok\n".repeat(5_000) + "failed";

    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    private Model model() {
        Model calling = SessionBench.calling(List.of(SessionBench.call("a", "build_log")));
        return SessionBench.model(request -> {
            requests.add(request);
            return calling.complete(request);
        });
    }

    private static ToolProvider tools(boolean declared) {
        return StaticToolProvider.builder()
                .raw(declared
                        ? OutputSnippets.buildLog()
                        : SessionBench.tool("build_log", dev.belay.tool.ToolEffect.READ),
                        (in, context) -> LOG)
                .build();
    }

    private static String reply(List<? extends dev.belay.model.Message> messages) {
        return messages.stream()
                .filter(ToolMessage.class::isInstance)
                .map(message -> ((ToolMessage) message).replies().getFirst().text())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLogIsShownFromItsEnd() throws Exception {
        try (Belay belay = OutputSnippets.larger(model(), tools(true))) {
            belay.session("s").turn("Why?").run();
            assertThat(reply(requests.getLast().messages())).startsWith("...4805 lines truncated...")
                    .endsWith("\nok\nfailed");
        }
    }

    @Test
    void aLargerBudgetShowsMore() throws Exception {
        try (Belay belay = OutputSnippets.larger(model(), tools(false))) {
            belay.session("s").turn("Why?").run();
            assertThat(reply(requests.getLast().messages()).lines()).hasSize(800);
        }
    }

    @Test
    void theHistoryKeepsLessThanTheModelWasShown() throws Exception {
        try (Belay belay = OutputSnippets.shortHistory(model(), tools(false))) {
            Session session = belay.session("s");
            session.turn("Why?").run();
            assertThat(reply(requests.get(1).messages()).lines()).hasSize(400);
            assertThat(reply(session.messages())).contains("lines truncated...");
            assertThat(reply(session.messages()).length()).isLessThan(2_049);
        }
    }

    @Test
    void withoutThePluginEverythingIsShown() throws Exception {
        try (Belay belay = OutputSnippets.unbounded(model(), tools(false))) {
            belay.session("s").turn("Why?").run();
            assertThat(reply(requests.getLast().messages())).isEqualTo(LOG);
        }
    }
}
