package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of the page about approvals do what the page says. */
class ApprovalSnippetsTest {

    @TempDir
    Path folder;

    @Test
    void testOfThePageIsGreen() throws Exception {
        ApprovalSnippets.test();
    }

    @Test
    void personAnswersThroughAClient() throws Exception {
        Path file = folder.resolve("desk.db");
        var bank = new ApprovalSnippets.Bank();
        var model = new ScriptedModel().call("refund", "{\"order\": 42, \"cents\": 8950}").reply("Done.");
        try (var belay = Belay.builder()
                .model(model)
                .toolMethods(new ApprovalSnippets.Desk(bank))
                .store(JdbcStore.sqlite(file))
                .build()) {
            var resting = (TurnResult.Resting) belay.session("order-42").turn("Refund it.").run();
            ApprovalSnippets.answer(file, "anna");
            assertThat(resting.await().answer()).isEqualTo("Done.");
            assertThat(bank.paid).hasSize(1);
            assertThat(belay.audit(0, 9)).extracting(entry -> entry.note().verb())
                    .containsExactly("ask", "approve");
        }
    }
}
