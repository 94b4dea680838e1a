package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.asking;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.PendingCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Revoking a secret makes keys outside unknown; what waits inside the store goes on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RevokedSecretTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SharedMemory memory = new SharedMemory();
    private final FakeTime time = new FakeTime();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final Delegation delegation = new Delegation(call("a", "delegate"));
    private final List<Belay> opened = new ArrayList<>();

    @AfterEach
    void close() {
        delegation.mayAnswer.countDown();
        opened.forEach(Belay::close);
    }

    private Belay open(Model model, ToolProvider tools) {
        Belay belay = Belay.builder()
                .store(memory.open())
                .model(model)
                .tools(tools)
                .time(time)
                .process("wait", (context, input) -> context.awaitSignal("go"))
                .parkAfter(Duration.ZERO)
                .build();
        opened.add(belay);
        return belay;
    }

    /** By another process, which shares the store. */
    private void revoke() {
        try (var store = memory.open()) {
            store.revokeSecret(store.currentSecret().id());
        }
    }

    private static void awaitWait(Belay belay) {
        while (belay.session("s").waits().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    private static StaticToolProvider delegating() {
        return StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT).resumable(true),
                        (in, context) -> ((SessionToolContext) context).sessions()
                                .create("helper")
                                .turn("t", "Help.")
                                .await()
                                .text())
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTurnThatWaitsForItsChildGoesOn(boolean restart) throws Exception {
        Belay belay = open(model(delegation::answer), delegating());
        InputHandle parent = belay.session("s").turn("Go.").id("in").submit();
        delegation.asked.await();
        awaitWait(belay);
        revoke();
        if (restart) {
            belay.close(Duration.ZERO);
            belay = open(model(delegation::answer), delegating());
            parent = belay.session("s").input("in").orElseThrow();
        }
        delegation.mayAnswer.countDown();

        assertThat(parent.awaitCommit().text()).isEqualTo("helped");
    }

    @Test
    void aTurnThatWaitsForAProcessGoesOn() throws Exception {
        Belay belay = open(model(request -> lastReplies(request).equals("nothing")
                ? calls(List.of(call("a", "act")))
                : text(lastReplies(request))), StaticToolProvider.builder()
                        .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true),
                                (in, context) -> ((SessionToolContext) context).processes()
                                        .start("x", ProcessStart.body("wait", Json.NULL))
                                        .awaitEnd()
                                        .summary())
                        .build());
        InputHandle turn = belay.session("s").turn("Act.").submit();
        awaitWait(belay);
        revoke();
        belay.processes()
                .get(belay.processes().list("s", 0, 9).getFirst().id().value())
                .signal("go", Json.string("gone on"));

        assertThat(turn.awaitCommit().text()).isEqualTo("completed: gone on");
    }

    @Test
    void aProcessThatWaitsForATurnGoesOn() throws Exception {
        Belay belay = open(calling(List.of(call("a", "ask"))), asking(tokens, ToolEffect.READ));
        DurableProcess process = belay.processes().start(ProcessStart.turn("s", "Ask.").id("p"));
        tokens.take();
        awaitWait(belay);
        revoke();
        belay.session("s").input("process/p").orElseThrow().cancel("enough");

        assertThat(process.awaitEnd().summary()).contains("enough");
    }

    @Test
    void aParkedCallCanBeCancelled() throws Exception {
        Belay belay = open(calling(List.of(call("a", "ask"))), asking(tokens, ToolEffect.ONCE));
        InputHandle turn = belay.session("s").turn("Ask.").submit();
        String token = tokens.take();
        awaitWait(belay);
        revoke();

        assertThat(belay.resolve(token, Resolution.ok(Json.TRUE))).as("the key outside")
                .isEqualTo(new Delivery.Unknown());
        turn.cancel("enough");
        assertThat(turn.awaitCommit().summary()).isEqualTo("the turn was cancelled: enough");
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void aParkedCallEndsAtItsDeadline() throws Exception {
        Belay belay = open(calling(List.of(call("a", "ask"))), StaticToolProvider.builder()
                .raw(tool("ask", ToolEffect.ONCE), (in, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending(PendingCompletion.DEFAULT.until(time.now().plus(MINUTE)));
                })
                .build());
        InputHandle turn = belay.session("s").turn("Ask.").submit();
        tokens.take();
        awaitWait(belay);
        revoke();
        time.awaitAlarmIn(MINUTE);
        time.advance(MINUTE);

        assertThat(turn.awaitCommit().text()).startsWith("done: Error (");
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void aScopeSignsItsNextKeysWithTheNextSecret() throws Exception {
        Belay belay = open(calling(List.of(call("a", "act"))), StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true), (in, context) -> {
                    CompletionKey key = context.durable().externalEventKey("answer");
                    tokens.add(key.token());
                    context.durable().sleep("nap", MINUTE);
                    return context.durable().awaitEvent(key).asString();
                })
                .build());
        InputHandle turn = belay.session("s").turn("Act.").submit();
        String old = tokens.take();
        time.awaitAlarmIn(MINUTE);
        revoke();
        revoke();
        time.advance(MINUTE);
        String next = tokens.take();

        assertThat(belay.resolve(old, Resolution.ok(Json.string("old")))).isEqualTo(new Delivery.Unknown());
        assertThat(belay.resolve(next, Resolution.ok(Json.string("next"))))
                .isEqualTo(new Delivery.Accepted());
        assertThat(turn.awaitCommit().text()).isEqualTo("done: next");
    }
}
