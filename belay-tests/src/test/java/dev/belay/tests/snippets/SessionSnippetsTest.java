package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code of the pages about sessions. */
class SessionSnippetsTest {

    @TempDir
    Path directory;

    @Test
    void helloRuns() throws Exception {
        var model = new ScriptedModel().call("temperature", "{\"city\":\"Oslo\"}")
                .reply("It is -3.5 degrees.");
        SessionSnippets.hello(model);
        model.assertExhausted();
    }

    @Test
    void aSessionInAFileGoesOnAfterItWasClosed() throws Exception {
        Path file = directory.resolve("belay.db");
        try (Belay belay = SessionSnippets.open(new ScriptedModel().reply("one"), file)) {
            assertThat(SessionSnippets.ask(belay, "First?", "1")).isEqualTo("one");
        }
        var second = new ScriptedModel().reply("two");
        try (Belay belay = SessionSnippets.open(second, file)) {
            assertThat(SessionSnippets.ask(belay, "First?", "1")).as("said twice, answered once")
                    .isEqualTo("one");
            assertThat(SessionSnippets.ask(belay, "Second?", "2")).isEqualTo("two");
            assertThat(second.lastRequest().orElseThrow().messages()).hasSize(4);
        }
    }

    @Test
    void aPictureGoesFromOneToolToAnother() throws Exception {
        String chart = "{\"hash\":\"8de4e0ea7370e4e60a521379c9edf3253afcba7660e647f3aa788e49e8993d1a\","
                + "\"mediaType\":\"image/png\",\"size\":5}";
        var model = new ScriptedModel().call("draw", "{\"title\":\"Sales\"}")
                .call("look", "{\"chart\":" + chart + "}")
                .reply("They grow.")
                .reply("The chart shows that they grow.");
        try (Belay belay = Belay.builder()
                .model(model)
                .toolMethods(new SessionSnippets.Pictures())
                .build()) {
            assertThat(belay.session("s").turn("How are sales?").run().ended().text())
                    .isEqualTo("The chart shows that they grow.");
            assertThat(model.requests()).hasSize(4);
        }
        model.assertExhausted();
    }

    @Test
    void theRestRunsToo() throws Exception {
        var model = new ScriptedModel().reply("a story").reply("refunded").reply("more");
        try (Belay belay = Belay.builder()
                .model(model)
                .toolMethods(new SessionSnippets.Delegation())
                .build()) {
            Session session = belay.session("s");
            String cursor = session.events().cursor().toString();
            SessionSnippets.listen(session);
            assertThat(SessionSnippets.readOn(session, cursor)).isNotEqualTo(cursor);
            SessionSnippets.membership(session);
            SessionSnippets.later(belay);
            SessionSnippets.operate(belay, "b1.no.key");
        }
    }
}
