package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.policy.Policy;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.Reconciliation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies that break, and bodies that break their promise. */
class BrokenBodiesTest {

    private static final Json TEXT = Json.of("{\"type\":\"string\"}");

    private final Bench bench = Bench.patient();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @EnumSource
    void onlyAOnceCallIsInDoubtAfterAnErrorOfTheVirtualMachine(ToolEffect effect) throws Exception {
        ToolFailure failure = failureOf(
                StaticToolProvider.builder().raw(tool("big", effect), (in, context) -> {
                    throw new OutOfMemoryError("simulated");
                }).build());
        boolean once = effect == ToolEffect.ONCE;
        assertThat(failure.code()).isEqualTo(once ? "in_doubt" : "tool_threw");
        assertThat(failure.mayHaveHappened()).isEqualTo(once);
    }

    @Test
    void aReconcilerIsAskedAfterAnErrorOfTheVirtualMachine() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("pay", ToolEffect.ONCE).reconciler(
                        recorded -> Reconciliation.happened(new ToolOutcome.Success(Json.string("paid")))),
                        (in, context) -> {
                            throw new OutOfMemoryError("simulated");
                        })
                .build();
        assertThat(bench.open(tools).run(call("pay"))).containsExactly(
                new ToolOutcome.Success(Json.string("paid")));
    }

    @Test
    void anErrorOfTheVirtualMachineInAPolicyEndsTheCallAndStartsNothing() throws Exception {
        Policy policy = call -> {
            throw new OutOfMemoryError("simulated");
        };
        var process = bench.open(paying("paid"), options -> options.policy(policy));
        assertThat(process.run(call("pay")).getFirst().text())
                .isEqualTo("Error (tool_threw): the virtual machine failed in tool pay: OutOfMemoryError");
    }

    @Test
    void anErrorOfTheVirtualMachineInAnAfterHookLeavesAOnceCallInDoubt() throws Exception {
        var process = bench.open(paying("paid"),
                options -> options.hooks(after(new OutOfMemoryError("simulated"))));
        assertThat(process.run(call("pay")).getFirst().code()).contains("in_doubt");
    }

    @Test
    void aOnceBodyWithoutTheOutputThatItPromisesMayHaveHappened() throws Exception {
        for (Object wrong : new Object[]{Json.of("7"), Json.NULL}) {
            assertThat(failureOf(paying(wrong))).satisfies(failure -> {
                assertThat(failure.code()).isEqualTo("invalid_tool_output");
                assertThat(failure.mayHaveHappened()).isTrue();
                assertThat(failure.message())
                        .endsWith("; its effect may have happened: find out before you try again");
            });
        }
    }

    @Test
    void aReadingBodyWithoutTheOutputThatItPromisesChangedNothing() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(promising("look").effect(ToolEffect.READ), (in, context) -> Json.of("7"))
                .build();
        assertThat(failureOf(tools).mayHaveHappened()).isFalse();
    }

    @Test
    void aOnceBodyThatParksWithoutItsKeyMayHaveHappened() throws Exception {
        ToolFailure failure = failureOf(paying(ToolResult.pending()));
        assertThat(failure.code()).isEqualTo("pending_tool_missing_completion_key");
        assertThat(failure.mayHaveHappened()).isTrue();
    }

    @Test
    void aOnceBodyWhoseResultCouldNotBeCheckedMayHaveHappened() throws Exception {
        var process = bench.open(paying("paid"),
                options -> options.hooks(after(new IllegalStateException("no"))));
        assertThat(process.run(call("pay")).getFirst()).isInstanceOfSatisfying(ToolOutcome.Failure.class,
                failed -> {
                    assertThat(failed.failure().code()).isEqualTo("after_hook_failed");
                    assertThat(failed.failure().mayHaveHappened()).isTrue();
                });
    }

    private ToolFailure failureOf(ToolProvider tools) throws Exception {
        String name = tools.definitions().getFirst().name();
        return ((ToolOutcome.Failure) bench.open(tools).run(call(name)).getFirst()).failure();
    }

    private static ToolProvider paying(Object answer) {
        return StaticToolProvider.builder()
                .raw(promising("pay").effect(ToolEffect.ONCE), (in, context) -> answer)
                .build();
    }

    private static ToolDefinition promising(String name) {
        return ToolDefinition.raw(name, "Does " + name + ".", Json.of("{\"type\":\"object\"}"), TEXT);
    }

    private static CallHooks after(Error broken) {
        return hooks(() -> {
            throw broken;
        });
    }

    private static CallHooks after(RuntimeException broken) {
        return hooks(() -> {
            throw broken;
        });
    }

    private static CallHooks hooks(Runnable after) {
        return new CallHooks() {
            @Override
            public ToolOutcome after(CallView call, ToolOutcome outcome, Site site) {
                after.run();
                return outcome;
            }
        };
    }
}
