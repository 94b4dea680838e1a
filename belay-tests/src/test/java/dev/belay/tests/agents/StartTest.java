package dev.belay.tests.agents;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.memory.SharedMemory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A runtime that is built with {@code start(false)} begins nothing before the program around is ready. */
class StartTest {

    private final SharedMemory memory = new SharedMemory();
    private final AtomicInteger asked = new AtomicInteger();
    private final Model counting = model(request -> text("answer " + asked.incrementAndGet()));

    private Belay waiting() {
        return Belay.builder().model(counting).store(memory.open()).start(false).build();
    }

    @Test
    void whatWasLeftBehindGoesOnWhenTheRuntimeIsStarted() throws Exception {
        InputHandle left;
        try (Belay gone = waiting()) {
            left = gone.session("s").turn("Go.").submit();
            assertThat(left.await(Duration.ZERO)).isEmpty();
        }
        try (Belay belay = waiting()) {
            InputHandle own = belay.session("t").turn("Go.").submit();
            assertThat(belay.session("s").head().orElseThrow().active()).isEqualTo(1);
            assertThat(asked).as("nothing has begun").hasValue(0);
            belay.start();
            belay.start();
            assertThat(own.awaitCommit().text()).startsWith("answer");
            assertThat(belay.session("s").input(left.inputId()).orElseThrow().awaitCommit().text())
                    .startsWith("answer");
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void loopOfAProgramBeginsWhenTheRuntimeIsStarted() throws Exception {
        try (Belay belay = waiting()) {
            belay.onReady("mine", turn -> {});
            assertThatThrownBy(() -> belay.session("s").begin("Go.")).isInstanceOf(BelayException.class)
                    .hasMessageContaining("call start() first");
            belay.start();
            belay.session("s").begin("Go.").close();
            assertThat(belay.session("t").turn("Go.").run().ended().text()).isEqualTo("answer 1");
        }
    }
}
