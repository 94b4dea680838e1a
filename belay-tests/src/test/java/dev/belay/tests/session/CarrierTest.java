package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.ContextCarrier;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.spi.MDCAdapter;

/** Contract G.6: the context of a caller is data that is kept with its input. */
class CarrierTest {

    private final SessionBench bench = new SessionBench();
    private final ThreadLocal<String> tenant = new ThreadLocal<>();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final BlockingQueue<Map<String, String>> seen = new LinkedBlockingQueue<>();
    private MDCAdapter before;

    /** The adapter of the tests' logger keeps nothing. */
    @BeforeEach
    void keepMdc() throws Exception {
        before = MDC.getMDCAdapter();
        adapter(new BasicMDCAdapter());
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        adapter(before);
    }

    private static void adapter(MDCAdapter adapter) throws Exception {
        var field = MDC.class.getDeclaredField("MDC_ADAPTER");
        field.setAccessible(true);
        field.set(null, adapter);
    }

    private String look() {
        Map<String, String> all = MDC.getCopyOfContextMap();
        seen.add(all == null ? Map.of() : all);
        return "for " + tenant.get() + " by " + MDC.get("user");
    }

    private UnaryOperator<BelayBuilder> tools() {
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> look())
                .raw(tool("ask", ToolEffect.READ), (arguments, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .build();
        return builder -> builder.tools(tools)
                .parkAfter(Duration.ZERO)
                .process("look", (context, input) -> Json.string(look()))
                .carrier(new Tenants(tenant));
    }

    /** Does something as a caller who is known. */
    private <T> T asAda(Callable<T> work) throws Exception {
        tenant.set("acme");
        MDC.put("user", "ada");
        try {
            return work.call();
        } finally {
            tenant.remove();
            MDC.clear();
        }
    }

    private static Model looking() {
        return calling(List.of(call("c1", "look")));
    }

    @Test
    void aBodySeesTheContextOfItsCallerAfterSubmit() throws Exception {
        Belay belay = bench.open(looking(), tools());
        InputHandle input = asAda(() -> belay.session("s").turn("Go.").submit());
        assertThat(input.awaitCommit().text()).isEqualTo("done: for acme by ada");
    }

    @Test
    void sessionTurnCallAndToolAreInEveryLineThatABodyLogs() throws Exception {
        Belay belay = bench.open(looking(), tools());
        asAda(() -> belay.session("s").turn("Go.").run());
        assertThat(seen.take()).containsEntry("belay.session", "s")
                .containsEntry("belay.turn", "1")
                .containsEntry("belay.call", "c1")
                .containsEntry("belay.tool", "look")
                .containsEntry("user", "ada");
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void aParkedTurnThatAnotherProcessGoesOnWithHasItToo() throws Exception {
        Model model = calling(List.of(call("a", "ask")), List.of(call("b", "look")));
        Belay first = bench.open(model, tools());
        asAda(() -> first.session("s").turn("Go.").id("in").submit());
        String token = tokens.take();
        bench.awaitWriteThat(write -> write.startsWith("park "));
        first.close();
        Belay second = bench.open(model, tools());
        second.resolve(token, Resolution.ok(Json.string("yes")));
        assertThat(second.session("s").input("in").orElseThrow().awaitCommit().text())
                .isEqualTo("done: for acme by ada");
    }

    @Test
    void batchesOfCallsAndProcessesHaveItToo() throws Exception {
        Belay belay = bench.open(looking(), tools());
        asAda(() -> {
            belay.calls().submit("batch", List.of(new CallRequest("look", "{}")));
            return belay.processes().start(ProcessStart.body("look", Json.NULL).id("p"));
        });
        assertThat(belay.calls().join("batch").orElseThrow().getFirst().text())
                .isEqualTo("for acme by ada");
        assertThat(belay.processes().get("p").awaitEnd().toJson().text()).contains("for acme by ada");
    }

    @Test
    void theSameInputInAnotherContextIsTheSameInput() throws Exception {
        Belay belay = bench.open(looking(), tools());
        asAda(() -> belay.session("s").turn("Go.").id("in").run());
        assertThat(belay.session("s").turn("Go.").id("in").run().ended().text())
                .isEqualTo("done: for acme by ada");
        asAda(() -> belay.processes().start(ProcessStart.body("look", Json.NULL).id("p")));
        belay.processes().start(ProcessStart.body("look", Json.NULL).id("p"));
    }

    @Test
    void aTurnThatAProcessStartsHasItToo() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> look())
                .build();
        Belay belay = bench.open(looking(), builder -> builder.tools(tools)
                .process("delegate", (context, input) -> Json.TRUE)
                .carrier(new Tenants(tenant)));
        asAda(() -> belay.processes().start(ProcessStart.turn("s", "Go.").id("p")));
        belay.processes().get("p").awaitEnd();
        assertThat(seen.take()).containsEntry("user", "ada").containsEntry("belay.session", "s");
    }

    @Test
    void tooMuchContextIsRefusedWithWhatToDoAndNamedKeysAreEnough() throws Exception {
        Belay belay = bench.open(looking(), tools());
        MDC.put("user", "ada");
        MDC.put("blob", "x".repeat(9_000));
        try {
            assertThatThrownBy(() -> belay.session("s").turn("Go.").submit())
                    .hasMessageContaining("mdc.blob")
                    .hasMessageContaining("ContextCarrier.mdc(")
                    .extracting("code")
                    .isEqualTo("context_too_large");
            Belay some = bench.open(looking(), builder -> tools().apply(builder)
                    .carrier(ContextCarrier.mdc("user")));
            assertThat(some.session("t").turn("Go.").run().ended().text()).isEqualTo("done: for null by ada");
        } finally {
            MDC.clear();
        }
    }

    @Test
    void theModelIsAskedInTheContextOfTheCaller() throws Exception {
        var asked = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            asked.countDown();
            return text(look());
        }), tools());
        assertThat(asAda(() -> belay.session("s").turn("Go.").submit()).awaitCommit().text())
                .isEqualTo("for acme by ada");
        assertThat(seen.take()).containsEntry("belay.session", "s").doesNotContainKey("belay.call");
    }
}
