package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessStatus;
import dev.belay.tests.session.SessionBench;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract Q: signals. */
@Timeout(120)
class ProcessSignalsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay with(ProcessBody body) {
        return bench.open(model(request -> text("yes")),
                builder -> builder.process("work", body).parkAfter(Duration.ZERO));
    }

    private static ProcessStart work() {
        return ProcessStart.body("work", Json.EMPTY_OBJECT).id("p");
    }

    private static void awaitStatus(DurableProcess process, ProcessStatus status) {
        while (process.status() != status) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    @Test
    void signalsAreGotInTheirOrderAndKeptUntilThen() throws Exception {
        Belay belay = with((context, input) -> {
            context.emit("first", context.awaitSignal("go"));
            context.emit("stop", context.awaitSignal("stop"));
            context.emit("second", context.awaitSignal("go"));
            return Json.array(List.of(context.awaitSignal("go"), context.awaitSignal("go/1")));
        });
        DurableProcess process = belay.processes().start(work());
        process.signal("go", Json.number(1));
        process.signal("go", Json.number(2));
        process.signal("go", Json.number(2));
        process.signal("go", Json.number(2), "key");
        process.signal("go", Json.number(2), "key");
        process.signal("stop", Json.string("x"));
        awaitStatus(process, ProcessStatus.WAITING);
        process.signal("go/1", Json.string("other name"));
        assertThat(process.awaitEnd()).isEqualTo(
                new ProcessEnd.Completed(Json.of("[2,\"other name\"]")));
        assertThat(process.events(0, 9)).extracting(event -> event.type() + event.payload().compact())
                .containsExactly("first1", "stop\"x\"", "second2");
        assertThat(belay.processes().start(work().id("q")).id().value()).isEqualTo("q");
        assertThatThrownBy(() -> process.signal("go", Json.NULL)).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("process_ended"));
    }

    @Test
    void aSignalWithTheSameKeyIsSentOnce() throws Exception {
        Belay belay = with((context, input) -> Json.array(
                List.of(context.awaitSignal("go"), context.awaitSignal("go"))));
        DurableProcess process = belay.processes().start(work());
        process.signal("go", Json.number(1), "a");
        process.signal("go", Json.number(1), "a");
        process.signal("go", Json.number(2), "b");
        assertThat(process.awaitEnd()).isEqualTo(new ProcessEnd.Completed(Json.of("[1,2]")));
    }
}
