package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.ProcessEnd;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code of the page about processes. */
@Timeout(120)
class ProcessSnippetsTest {

    @TempDir
    Path directory;

    @Test
    void thePageRuns() throws Exception {
        var model = new ScriptedModel().reply("a summary").reply("thanks");
        try (Belay belay = ProcessSnippets.open(model, directory.resolve("belay.db"))) {
            assertThat(ProcessSnippets.report(belay))
                    .isEqualTo(new ProcessEnd.Completed(Json.string("sent to the board")));
            assertThat(ProcessSnippets.follow(belay, "report-7", 0)).isEqualTo(1);
            ProcessSnippets.kinds(belay);
            ProcessSnippets.printed(belay);
            assertThat(belay.processes().get("print-7").awaitEnd().summary()).isEqualTo("completed: 3 pages");
            assertThat(belay.processes().get("summary-42").awaitEnd().summary())
                    .isEqualTo("completed: a summary");
            assertThat(belay.session("order-42").messages().toString())
                    .contains("process report-7 (nightly-report) completed: sent to the board");
            ProcessSnippets.operate(belay);
        }
    }

    @Test
    void theToolsRun() throws Exception {
        var model = new ScriptedModel().call("approve", "{\"id\":\"nobody's\"}").reply("not allowed");
        try (Belay belay = Belay.builder().model(model).toolMethods(new ProcessSnippets.Reports()).build()) {
            assertThat(belay.session("s").turn("Approve.").run().ended().text()).isEqualTo("not allowed");
            assertThat(belay.session("s").messages().toString()).contains("process_not_granted");
        }
    }
}
