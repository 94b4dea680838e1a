package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.snippets.ActionSnippets.Notes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionSnippetsTest {

    private static final class Acting implements PluginFactory {

        @Override
        public String id() {
            return "notes";
        }

        @Override
        public SessionPlugin build(PluginSession session) {
            return on -> {
                on.state(ActionSnippets.NOTES);
                ActionSnippets.register(on);
                ActionSnippets.watch(on);
            };
        }
    }

    @Test
    void commandsAreCarriedOutFromHereAndFromElsewhere() throws Exception {
        var memory = new SharedMemory();
        try (Belay belay = Belay.builder()
                .model(SessionBench.model(request -> SessionBench.text("done")))
                .plugin(new Acting())
                .store(memory.open())
                .build()) {
            assertThat(ActionSnippets.call(belay.session("s"))).isEqualTo(new Notes(List.of("milk")));
            var first = ActionSnippets.submit(belay.session("s"), "again");
            assertThat(first).isPresent().isEqualTo(ActionSnippets.submit(belay.session("s"), "again"));
            assertThat(ActionSnippets.fromElsewhere(memory.existing()).toString())
                    .isEqualTo("{\"lines\":[\"milk\",\"milk\",\"bread\"]}");
            ActionSnippets.operate(belay);
            belay.session("s").turn("Hello.").run();
            assertThat(belay.processes().list("s", 0, 9)).hasSize(1);
            assertThat(belay.session("s").actions().ids()).contains("notes.add", "notes.raw", "notes.show");
        }
    }
}
