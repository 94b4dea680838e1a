package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An input that is given only if it starts a turn at once. */
@Timeout(120)
class UnlessBusyTest {

    @Test
    void aSessionWithATurnThatIsNotCommittedRefusesItAndKeepsNothing() throws Exception {
        try (Belay belay = Belay.builder().model(new ScriptedModel().reply("first")).start(false).build()) {
            Session session = belay.session("one");
            var first = session.turn("first").id("a").unlessBusy().submit();
            assertThatThrownBy(() -> session.turn("second").id("b").unlessBusy().submit())
                    .isInstanceOfSatisfying(BelayException.class,
                            busy -> assertThat(busy.code()).isEqualTo("session_busy"));
            assertThat(session.input("b")).isEmpty();
            assertThat(session.turn("first").id("a").unlessBusy().submit().inputId())
                    .as("the same input again")
                    .isEqualTo("a");
            belay.start();
            assertThat(first.awaitCommit().text()).isEqualTo("first");
        }
    }
}
