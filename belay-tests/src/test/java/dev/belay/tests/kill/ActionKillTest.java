package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.plugin.PluginBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.PluginState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract O.11: commands of clients in other processes, one of which is killed. */
@Timeout(120)
class ActionKillTest {

    record Count(long value) {}

    private static final PluginState<Count, Count> COUNT = PluginState.of("count", Count.class, new Count(0),
            Count.class, (before, more) -> new Count(before.value() + more.value()));

    @TempDir
    Path directory;

    @Test
    void theCommandOfAKilledClientIsTakenByTheParkedTurnAndAnotherProcessReadsItsResult() throws Exception {
        Path file = directory.resolve("belay.db");
        var tokens = new LinkedBlockingQueue<String>();
        var model = SessionBench.model(request -> request.messages()
                .stream()
                .anyMatch(Message.ToolMessage.class::isInstance)
                        ? SessionBench.text("done")
                        : SessionBench.calls(List.of(SessionBench.call("c", "ask"))));
        try (Belay belay = Belay.builder()
                .model(model)
                .tools(SessionBench.asking(tokens, ToolEffect.READ))
                .parkAfter(Duration.ZERO)
                .plugin(PluginBench.plugin("count", on -> {
                    on.state(COUNT);
                    on.actions().command("count.add", (in, context) -> {
                        context.update(COUNT, new Count(in.asLong()));
                        return Json.number(context.get(COUNT).value());
                    });
                }))
                .store(JdbcStore.sqlite(file))
                .build()) {
            var turn = belay.session("s").turn("Ask.").submit();
            String token = tokens.take();
            try (var client = new WorkerProcess(ActionWorker.class, file, 0)) {
                client.tell("submit one");
                assertThat(client.hear()).isEqualTo("given");
                client.kill();
            }
            assertThat(belay.session("s").actions().input("one").orElseThrow().result())
                    .as("the turn is parked")
                    .isEmpty();
            belay.resolve(token, Resolution.ok(Json.string("yes")));
            assertThat(turn.awaitCommit().actions()).extracting(one -> one.input()).containsExactly("one");
            try (var client = new WorkerProcess(ActionWorker.class, file, 0)) {
                client.tell("await one");
                assertThat(client.hear()).as("the recorded result").isEqualTo("1");
                client.tell("await two");
                assertThat(client.hear()).isEqualTo("2");
            }
        }
    }
}
