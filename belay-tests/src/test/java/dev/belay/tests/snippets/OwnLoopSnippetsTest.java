package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code about loops of your own on a session. */
class OwnLoopSnippetsTest {

    @TempDir
    Path directory;

    @Test
    void aTurnThatWaitsForTheBossGoesOnInTheNextProcess() throws Exception {
        var mails = new LinkedBlockingQueue<String>();
        var desk = new OwnLoopSnippets(mails::add);
        Path file = directory.resolve("belay.db");
        var first = new ScriptedModel().call("find_total", "{\"orderId\":42}")
                .call("ask_boss", "{\"orderId\":42}");
        try (Belay belay = desk.open(first, file)) {
            assertThat(desk.refund(belay, "r-1")).isEmpty();
            OwnLoopSnippets.giveUp(belay);
            assertThat(belay.openTurns(null, 9)).as("it has a loop").hasSize(1);
        }
        String token = mails.take().replaceAll(".*with ", "");
        var second = new ScriptedModel().reply("Done, 12.90 go back.");
        try (Belay belay = desk.open(second, file)) {
            belay.resolve(token, new Resolution.Ok(Json.TRUE));
            var handle = belay.session("order-42").input("r-1").orElseThrow();
            assertThat(handle.awaitCommit().text()).isEqualTo("Done, 12.90 go back.");
            assertThat(desk.refund(belay, "r-1")).as("said twice").contains("Done, 12.90 go back.");
        }
        assertThat(mails).isEmpty();
        second.assertExhausted();
    }

    @Test
    void theSameMethodServesTheLoopOfTheRuntime() throws Exception {
        var mails = new LinkedBlockingQueue<String>();
        var model = new ScriptedModel().call("find_total", "{\"orderId\":42}")
                .call("ask_boss", "{\"orderId\":42}")
                .reply("Refunded.");
        try (Belay belay = new OwnLoopSnippets(mails::add).both(model)) {
            var handle = belay.session("s").turn("Refund order 42").submit();
            belay.resolve(mails.take().replaceAll(".*with ", ""), new Resolution.Ok(Json.TRUE));
            assertThat(handle.awaitCommit().text()).isEqualTo("Refunded.");
        }
        model.assertExhausted();
    }
}
