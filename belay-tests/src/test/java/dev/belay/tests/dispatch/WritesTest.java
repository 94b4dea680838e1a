package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract L.3 and the table of writes in the architecture: what a call costs. */
class WritesTest {

    private static final String STARTED = "effect call/0/attempt/1 STARTED";
    private static final String COMPLETED = "effect call/0/attempt/1 COMPLETED";

    private final Bench bench = Bench.patient();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider tools(ToolEffect effect) {
        return StaticToolProvider.builder().raw(tool("work", effect), (arguments, context) -> "done").build();
    }

    @Test
    void readCostsOneWrite() throws Exception {
        bench.open(tools(ToolEffect.READ)).run(call("work"));
        assertThat(bench.writes).containsExactly("submit batch", COMPLETED, "end batch");
    }

    @Test
    void idempotentCostsOneWrite() throws Exception {
        bench.open(tools(ToolEffect.IDEMPOTENT)).run(call("work"));
        assertThat(bench.effects()).containsExactly(COMPLETED);
    }

    @Test
    void onceCostsTwoWrites() throws Exception {
        bench.open(tools(ToolEffect.ONCE)).run(call("work"));
        assertThat(bench.effects()).containsExactly(STARTED, COMPLETED);
    }

    @Test
    void idempotentThatWasPreparedCostsTwoWrites() throws Exception {
        ToolProvider tools = new ToolProvider() {
            private final ToolProvider inner = tools(ToolEffect.IDEMPOTENT);

            @Override
            public List<ToolDefinition> definitions() {
                return inner.definitions();
            }

            @Override
            public PrepareCall.Prepared prepare(PrepareCall call) {
                return call.freeze(Json.TRUE);
            }

            @Override
            public @Nullable Object execute(PreparedCall call) throws Exception {
                return inner.execute(call);
            }
        };
        bench.open(tools).run(call("work"));
        assertThat(bench.effects()).containsExactly(STARTED, COMPLETED);
    }

    private static StaticToolProvider takingKeys(ToolEffect effect) {
        ToolDefinition typed = ToolDefinition.raw("work", "Does work.", Json.of("{\"type\":\"object\"}"),
                Json.of("{\"type\":\"string\"}"));
        return StaticToolProvider.builder()
                .raw(typed.effect(effect), (arguments, context) -> context.completionKey().id())
                .build();
    }

    @ParameterizedTest
    @EnumSource(value = ToolEffect.class, names = {"READ", "IDEMPOTENT"})
    void theStartOfACallThatTakesItsKeyKeepsWhatMaySettleIt(ToolEffect effect) throws Exception {
        bench.open(takingKeys(effect)).run(call("work"));
        assertThat(bench.writes).containsExactly("submit batch", STARTED, COMPLETED, "end batch");
    }

    @Test
    void onceHasStartedBeforeItTakesItsKey() throws Exception {
        bench.open(takingKeys(ToolEffect.ONCE)).run(call("work"));
        assertThat(bench.writes).containsExactly("submit batch", STARTED,
                "issue call/0/completion", COMPLETED, "end batch");
    }

    @Test
    void aResumableBodyCostsItsEntryItsStepsAndItsOutcome() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.ONCE).resumable(true),
                        (arguments, context) -> context.durable().run("pay", Json.NULL, input -> Json.TRUE))
                .build();
        bench.open(tools).run(call("work"));
        assertThat(bench.effects()).containsExactly(COMPLETED, "effect call/0/step/1/pay STARTED",
                "effect call/0/step/1/pay COMPLETED", "effect call/0/outcome/1 COMPLETED");
    }
}
