package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.memory.SharedMemory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The code of the page about the history runs. */
class HistorySnippetsTest {

    private static PluginFactory plugin(SessionPlugin plugin) {
        return new PluginFactory() {
            @Override
            public String id() {
                return "own";
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return plugin;
            }
        };
    }

    @Test
    void rollingHistoryMayUseAnotherModel() throws Exception {
        try (Belay belay = HistorySnippets.open(new ScriptedModel().reply("Yes."), new ScriptedModel())) {
            assertThat(belay.session("s").turn("Really?").run().ended().text()).isEqualTo("Yes.");
        }
    }

    @Test
    void whatWasDecidedAndSentCanBeRead() throws Exception {
        var model = new ScriptedModel();
        for (int i = 0; i < 20; i++) {
            model.reply("Yes.");
        }
        var printed = new ByteArrayOutputStream();
        try (Belay belay = Belay.builder()
                .model(model)
                .store(new SharedMemory().open())
                .maxContextTokens(200)
                .plugin(plugin(on -> {
                    HistorySnippets.compactor(on);
                    HistorySnippets.view(on);
                }))
                .build()) {
            Session session = belay.session("s");
            for (int i = 0; i < 16; i++) {
                session.turn("Is " + i + " a number that a person could count to?").run();
            }
            session.turn("ping").run();
            assertThat(session.history()).isNotEmpty().allMatch(step -> step.plugin().equals("own"));
            HistorySnippets.read(session, new PrintStream(printed, true, StandardCharsets.UTF_8));
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("messages dropped, 0 shortened, by own with []")
                .contains("older messages were left out")
                .doesNotContain("ping");
    }
}
