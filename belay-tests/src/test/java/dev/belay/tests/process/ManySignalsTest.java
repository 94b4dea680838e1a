package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.tests.Intercepted;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Issue: sending many signals with keys to one process took time in the square of their number. */
@Timeout(120)
class ManySignalsTest {

    private static final int MANY = 400;

    @Test
    void aSignalDoesNotLookThroughAllThatWereSentBefore() throws Exception {
        var read = new AtomicInteger();
        var sent = new CountDownLatch(1);
        try (Belay belay = Belay.builder()
                .model(model(request -> text("yes")))
                .store(Intercepted.store(InMemoryStore.open(), (what, real) -> {
                    Object answer = real.call();
                    if (what.matches("read scope .*, wait .*") && answer instanceof List<?>) {
                        read.addAndGet(((List<?>) answer).size());
                    }
                    return answer;
                }))
                .process("work", (context, input) -> {
                    sent.await();
                    long sum = 0;
                    for (int i = 0; i < MANY; i++) {
                        sum += context.awaitSignal("go").asLong();
                    }
                    return Json.number(sum);
                })
                .build()) {
            DurableProcess process = belay.processes().start(ProcessStart.body("work", Json.EMPTY_OBJECT));
            for (int i = 0; i < MANY; i++) {
                process.signal("go", Json.number(i), "key " + i);
                process.signal("go", Json.number(i), "key " + i / 2); // sent before
            }
            assertThat(read).as("waits that were read").hasValueLessThan(MANY);
            sent.countDown();
            assertThat(process.awaitEnd()).isEqualTo(
                    new ProcessEnd.Completed(Json.number((long) MANY * (MANY - 1) / 2)));
        }
    }
}
