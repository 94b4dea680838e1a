package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginSnippetsTest {

    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    private Model noting() {
        return SessionBench.model(request -> {
            requests.add(request);
            boolean noted = request.messages().stream().anyMatch(Message.ToolMessage.class::isInstance);
            return noted
                    ? SessionBench.text("done")
                    : SessionBench.calls(List.of(new CallPart("a", "note", "{\"line\":\"milk\"}")));
        });
    }

    @Test
    void theNotesStandBehindTheNextQuestion(@TempDir Path project) throws Exception {
        try (Belay belay = PluginSnippets.open(noting(), project)) {
            belay.session("s").turn("Buy milk.").run();
        }
        assertThat(requests.getLast().messages().getLast()).isEqualTo(Message.user("Your notes:\nmilk"));
    }

    @Test
    void stacksCanBeChanged() throws Exception {
        try (Belay belay = PluginSnippets.changed(SessionBench.model(request -> {
            requests.add(request);
            return SessionBench.text("done");
        }))) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(requests.getFirst().tools()).isEmpty();
    }

    @Test
    void theHarnessKillsThePlugin() throws Exception {
        assertThat(PluginSnippets.killed(noting())).isGreaterThan(10);
    }
}
