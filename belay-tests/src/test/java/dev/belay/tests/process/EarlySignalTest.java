package dev.belay.tests.process;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.Intercepted;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Issue: what comes in the moment between the write that starts a process and its first entry was heard only when the process gave up
 * its thread. Time stands still here, so that moment never comes.
 */
@Timeout(120)
class EarlySignalTest {

    private static final long PATIENCE = 20;

    private final FakeTime time = new FakeTime();
    private final AtomicReference<@Nullable Belay> belay = new AtomicReference<>();

    @AfterEach
    void close() {
        Belay opened = belay.get();
        if (opened != null) {
            opened.close();
        }
    }

    /** A runtime in which something happens to each process that is written and not yet entered. */
    private Belay open(Consumer<DurableProcess> inBetween) {
        Store real = InMemoryStore.open();
        belay.set(Belay.builder()
                .model(model(request -> text("yes")))
                .time(time)
                .store(Intercepted.store(real, (what, further) -> {
                    Object answer = further.call();
                    if (what.startsWith("start-process ")) {
                        inBetween.accept(opened().processes().get("p"));
                    }
                    return answer;
                }))
                .process("work", (context, input) -> context.awaitSignal("go"))
                .build());
        return opened();
    }

    private Belay opened() {
        return Objects.requireNonNull(belay.get());
    }

    private static ProcessEnd end(DurableProcess process) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return process.awaitEnd();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, task -> Thread.ofVirtual().start(task)).get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void aSignalIsHeardAtOnce() throws Exception {
        Belay runtime = open(process -> process.signal("go", Json.TRUE));
        assertThat(end(runtime.processes().start(ProcessStart.body("work", Json.EMPTY_OBJECT).id("p"))))
                .isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void aCompletionIsHeardAtOnce() throws Exception {
        Belay runtime = open(process -> process.complete(Json.TRUE));
        assertThat(end(runtime.processes().start(ProcessStart.external("print", Json.EMPTY_OBJECT).id("p"))))
                .isEqualTo(new ProcessEnd.Completed(Json.TRUE));
    }

    @Test
    void aCancellationIsHeardAtOnce() throws Exception {
        Belay runtime = open(process -> process.cancel("enough"));
        assertThat(end(runtime.processes().start(ProcessStart.body("work", Json.EMPTY_OBJECT).id("p"))))
                .isEqualTo(new ProcessEnd.Cancelled("enough"));
    }
}
