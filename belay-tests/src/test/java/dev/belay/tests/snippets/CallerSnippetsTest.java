package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelException;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Runs the code about what a caller gets. */
class CallerSnippetsTest {

    @Test
    void anAnswerIsAValueOrARefusal() throws Exception {
        var model = new ScriptedModel().reply("{\"refund\":true,\"cents\":1250}").refuse("no");
        try (Belay belay = Belay.builder().model(model).build()) {
            assertThat(CallerSnippets.decide(belay.session("s"))).isEqualTo("refund 1250");
            assertThat(CallerSnippets.decide(belay.session("s"))).isEqualTo("It would not: no");
        }
        var verdict = new CallerSnippets.Verdict(true, 1250);
        assertThat(CallerSnippets.copy(verdict)).isEqualTo(verdict);
    }

    @Test
    void aStoppedTurnIsTriedAgain() throws Exception {
        var model = new ScriptedModel().error(new ModelException(ModelException.Kind.PERMISSION, "no credit"))
                .reply("here");
        try (Belay belay = CallerSnippets.patient(model)) {
            belay.session("s").turn("Hello").run();
            assertThat(CallerSnippets.tryAgain(belay.session("s"))).isEqualTo("here");
            assertThat(CallerSnippets.tryAgain(belay.session("s"))).contains("not stopped");
        }
    }

    @Test
    void aQueuedInputIsAnsweredAndAListenerHearsTheCommit() throws Exception {
        BlockingQueue<String> log = new LinkedBlockingQueue<>();
        try (Belay belay = CallerSnippets.observed(new ScriptedModel().reply("yes"), log::add)) {
            TurnResult.Ended result = CallerSnippets.mail(belay.session("s"), "Hello", "m1")
                    .await(Duration.ofSeconds(30))
                    .orElseThrow()
                    .ended();
            assertThat(result.text()).isEqualTo("yes");
            assertThat(log.take()).startsWith("s {\"event\":\"committed\",\"turn\":1");
        }
    }

    @Test
    void aCarrierGivesBackWhatItCaptured() {
        ThreadLocal<String> current = new ThreadLocal<>();
        var carrier = new CallerSnippets.Tenants(current);
        current.set("acme");
        Map<String, String> captured = carrier.capture();
        current.remove();
        try (var restored = carrier.restore(captured)) {
            assertThat(restored).isNotNull();
            assertThat(current.get()).isEqualTo("acme");
        }
        assertThat(current.get()).isNull();
    }
}
