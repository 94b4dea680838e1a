package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/guides/once.md} and {@code docs/deferred-tools.md} say of their code. */
@Timeout(60)
class DurableSnippetsTest {

    private final Instant now = Instant.now();

    @TempDir
    Path directory;

    private final BlockingQueue<String> opened = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private final DurableSnippets.Desk desk = new DurableSnippets.Desk() {
        @Override
        public void open(String ticket, String key) {
            opened.add(key);
        }

        @Override
        public void close(String ticket) {
            closed.add(ticket);
        }
    };

    private DurableCalls calls() {
        return DurableCalls.open(JournalEffectHost.open(new SharedMemory().open()),
                DurableSnippets.provider(desk, Clock.fixed(now, ZoneOffset.UTC)));
    }

    private static final List<CallRequest> QUESTION = List
            .of(new CallRequest("ask_person", "{\"question\": \"Ship it?\"}"));

    @Test
    void theAnswerIsTheOutcome() throws Exception {
        try (var calls = calls()) {
            calls.submit("q", QUESTION);
            String key = opened.take();
            assertThat(DurableSnippets.answer(calls, key + "x", "no")).isEqualTo("no such question");
            assertThat(DurableSnippets.answer(calls, key, "yes")).isEqualTo("thank you");
            assertThat(DurableSnippets.answer(calls, key, "yes")).isEqualTo("you said so before");
            assertThat(DurableSnippets.answer(calls, key, "no")).startsWith("too late: Ok[value=\"yes\"]");
            assertThat(calls.join("q")).contains(List.of(new ToolOutcome.Success(Json.string("yes"))));
        }
    }

    @Test
    void cancellingClosesTheWorkOutside() throws Exception {
        try (var calls = calls()) {
            calls.submit("q", QUESTION);
            opened.take();
            calls.cancel("q", "not needed any more");
            assertThat(calls.join("q")).contains(List.of(new ToolOutcome.Cancelled("not needed any more")));
            assertThat(closed).containsExactly("Ship it?");
        }
    }

    @Test
    void aFileKeepsTheQuestion() throws Exception {
        Path file = directory.resolve("journal.db");
        try (var calls = DurableCalls.open(JournalEffectHost.open(JdbcStore.sqlite(file)),
                DurableSnippets.provider(desk, Clock.fixed(now, ZoneOffset.UTC)))) {
            calls.submit("question-1", QUESTION);
            String key = opened.take();
            Thread answering = Thread.startVirtualThread(() -> DurableSnippets.answer(calls, key, "yes"));
            calls.join("question-1");
            answering.join();
        }
        assertThat(
                DurableSnippets.run(file, DurableSnippets.provider(desk, Clock.fixed(now, ZoneOffset.UTC))))
                .isEqualTo("yes");
        assertThat(opened).as("asked again").isEmpty();
    }

    @Test
    void theReconcilerAnswersForACallInDoubt() throws Exception {
        ToolDefinition pay = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"));
        var records = new SharedMemory();
        var death = new Error("death");
        var dying = records.open((moment, write) -> {
            if (write.endsWith("COMPLETED")) {
                throw death;
            }
        });
        try (var calls = DurableCalls.open(JournalEffectHost.open(dying),
                StaticToolProvider.of(List.of(pay), call -> "paid"))) {
            calls.submit("p", List.of(new CallRequest("pay", "{}")));
            assertThat(awaitDeath(calls)).isSameAs(death);
        }
        ToolDefinition reconciled = DurableSnippets.reconciled(pay, key -> Optional.of("R-7"));
        try (var calls = DurableCalls.open(JournalEffectHost.open(records.open()),
                StaticToolProvider.of(List.of(reconciled), call -> "paid twice"))) {
            assertThat(calls.join("p")).contains(List.of(new ToolOutcome.Success(Json.string("R-7"))));
        }
    }

    private static Throwable awaitDeath(DurableCalls calls) throws InterruptedException {
        while (true) {
            try {
                calls.state("p");
                Thread.onSpinWait();
            } catch (Throwable dead) {
                return dead;
            }
        }
    }
}
