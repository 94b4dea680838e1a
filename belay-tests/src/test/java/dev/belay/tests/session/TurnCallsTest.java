package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnCall.State;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The read API over the calls of a turn. */
class TurnCallsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void callsAreReadAsTheirRecordsSay() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "saw")
                .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                    started.countDown();
                    release.await();
                    return "paid";
                })
                .raw(tool("ask", ToolEffect.IDEMPOTENT), (arguments, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .build();
        Belay belay = bench.open(
                calling(List.of(call("a", "look"), call("b", "none")), List.of(call("c", "pay")),
                        List.of(call("d", "ask"))),
                builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        var session = belay.session("s");
        assertThat(session.calls(1)).isEmpty();
        var handle = session.turn("Go.").submit();
        started.await();
        assertThat(session.calls(1))
                .extracting(TurnCall::tool, TurnCall::round, TurnCall::index, TurnCall::state)
                .containsExactly(tuple("look", 1, 0, State.ENDED),
                        tuple("none", 1, 1, State.ENDED),
                        tuple("pay", 2, 0, State.STARTED));
        assertThat(session.calls(1).get(1).outcome().flatMap(ToolOutcome::code)).contains("unknown_tool");
        release.countDown();
        String token = tokens.take();
        while (session.waits().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(session.calls(1)).last().extracting(TurnCall::state).isEqualTo(State.WAITING);
        belay.resolve(token, Resolution.ok(Json.string("yes")));
        handle.awaitCommit();
        assertThat(session.calls(1)).allMatch(one -> one.state() == State.ENDED)
                .last()
                .satisfies(one -> assertThat(one.outcome())
                        .contains(new ToolOutcome.Success(Json.string("yes"))));
        assertThat(session.calls(2)).isEmpty();
    }
}
