package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.FromHost;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a builder says once for all tools of a runtime. */
@Timeout(60)
class BuilderDefaultsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** The tenant of a program. */
    public record Tenant(String name) {}

    /** Tools that need a tenant. */
    public static final class Desk {

        /** Greets. */
        @Tool(effect = ToolEffect.READ)
        public String greet(@FromHost Tenant tenant) {
            return "hello " + tenant.name();
        }
    }

    @Test
    void aHostValueIsAskedForByEachCall() throws Exception {
        var asked = new AtomicInteger();
        Belay belay = bench.open(calling(List.of(call("a", "greet"))), builder -> builder
                .toolMethods(new Desk())
                .hostValue(Tenant.class, () -> new Tenant("acme " + asked.incrementAndGet())));
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: hello acme 1");
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: hello acme 2");
    }

    @Test
    void theTimeoutHoldsForToolsThatDeclareNone() throws Exception {
        var time = new FakeTime();
        var begun = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var tools = StaticToolProvider.builder().raw(tool("hang", ToolEffect.READ), (arguments, context) -> {
            begun.countDown();
            never.await();
            return "";
        }).build();
        Belay belay = bench.open(calling(List.of(call("a", "hang"))),
                builder -> builder.tools(tools).time(time).timeout(Duration.ofSeconds(30)));
        var turn = belay.session("s").turn("Go.").submit();
        begun.await();
        time.awaitAlarmIn(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30));
        assertThat(turn.awaitCommit().text()).startsWith("done: Error (tool_timeout)").contains("30");
    }

    @Test
    void aCallThatWaitsHoldsItsThreadForHalfASecond() throws Exception {
        var time = new FakeTime();
        var tokens = new LinkedBlockingQueue<String>();
        Belay belay = bench.open(calling(List.of(call("a", "ask"))),
                builder -> builder.tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT)).time(time));
        belay.session("s").turn("Go.").submit();
        assertThat(tokens.take()).isNotEmpty();
        time.awaitAlarmIn(Duration.ofMillis(500));
        time.advance(Duration.ofMillis(499));
        assertThat(state(belay)).isEqualTo(SessionEntry.State.RUNNING);
        time.advance(Duration.ofMillis(1));
        SessionBench.awaitThat("the turn is parked", () -> state(belay) == SessionEntry.State.WAITING);
    }

    private static SessionEntry.State state(Belay belay) {
        return belay.sessions(null, 9).items().getFirst().state();
    }
}
