package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.option.Visibility;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract D: every call has one outcome, one <i>started</i> and one <i>finished</i>, whatever happens to it. Contract F.1, F.2:
 * what bodies throw or return is contained.
 */
@SuppressWarnings("InfiniteRecursion") // a body that overflows its stack is the point
class DispatchTest {

    private static final ToolDefinition STRICT = ToolDefinition
            .raw("strict", "Takes a number.",
                    Json.of("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"))
            .effect(ToolEffect.READ);

    private final Bench bench = Bench.patient();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider echo() {
        return StaticToolProvider.builder()
                .raw(STRICT, (arguments, context) -> arguments.get("n").orElseThrow())
                .raw(tool("hidden", ToolEffect.READ).visibility(Visibility.INTERNAL),
                        (arguments, context) -> "seen")
                .build();
    }

    @Test
    void everyCallHasItsOutcomeInTheModelsOrder() throws Exception {
        List<ToolOutcome> outcomes = bench.open(echo())
                .run(new CallRequest("strict", "{\"n\": 1}"), call("strikt"), call("hidden"),
                        new CallRequest("strict", "{\"n\": "), new CallRequest("strict", "{\"n\": \"x\"}"),
                        new CallRequest("strict", "{\"n\": 6}"));
        assertThat(outcomes).extracting(outcome -> outcome.code().orElse(outcome.text()))
                .containsExactly("1", "unknown_tool", "tool_unavailable", "malformed_arguments",
                        "invalid_arguments", "6");
        assertThat(outcomes.get(1).text()).contains("did you mean strict");
    }

    @Test
    void aCallThatEndsEarlyStartsAndFinishesOnce() throws Exception {
        bench.open(echo()).run(call("nobody"));
        assertThat(bench.event()).isInstanceOf(CallEvent.Started.class);
        assertThat(bench.event()).isInstanceOfSatisfying(CallEvent.Finished.class,
                finished -> assertThat(finished.outcome().code()).contains("unknown_tool"));
        assertThat(bench.effects()).containsExactly("effect call/0/attempt/1 COMPLETED");
    }

    @Test
    void replaysTellNothing() throws Exception {
        var process = bench.open(echo());
        process.run(new CallRequest("strict", "{\"n\": 1}"));
        bench.event();
        bench.event();
        process.run(new CallRequest("strict", "{\"n\": 1}"));
        process.close();
        bench.open(echo()).run(new CallRequest("strict", "{\"n\": 1}"));
        assertThat(bench.events).isEmpty();
    }

    @Test
    void missingAndRepeatedIdsGetOnesOfTheirOwn() throws Exception {
        List<String> ids = Collections.synchronizedList(new ArrayList<>());
        var tools = StaticToolProvider.builder()
                .raw(tool("id", ToolEffect.READ).scheduling(
                        dev.belay.tool.option.Scheduling.SERIAL),
                        (arguments, context) -> ids.add(context.callId().value()))
                .build();
        bench.open(tools)
                .run(new CallRequest(new CallId("a"), "id", "{}"),
                        new CallRequest(new CallId("a"), "id", "{}"),
                        call("id"), new CallRequest(new CallId("call_0_2"), "id", "{}"));
        assertThat(ids).containsExactly("a", "call_0_1", "call_0_2", "call_0_3");
    }

    @Test
    void identicalCallsDoNotShareAKey() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("key", ToolEffect.IDEMPOTENT),
                        (arguments, context) -> context.idempotencyKey().value())
                .build();
        List<ToolOutcome> outcomes = bench.open(tools).run(call("key"), call("key"));
        assertThat(outcomes.get(0)).isNotEqualTo(outcomes.get(1));
    }

    @Test
    void callsBeyondTheLimitAreRefused() throws Exception {
        CallRequest[] calls = IntStream.range(0, 1_026)
                .mapToObj(n -> new CallRequest("strict", "{\"n\": " + n + "}"))
                .toArray(CallRequest[]::new);
        List<ToolOutcome> outcomes = bench.open(echo()).run(calls);
        assertThat(outcomes).hasSize(1_026);
        assertThat(outcomes.get(1_023).text()).isEqualTo("1023");
        assertThat(outcomes.subList(1_024, 1_026)).allSatisfy(
                outcome -> assertThat(outcome.code()).contains("too_many_calls"));
    }

    @Test
    void theSameNameAttachesAndOtherCallsAreAConflict() throws Exception {
        var process = bench.open(echo());
        List<ToolOutcome> first = process.run(new CallRequest("strict", "{\"n\": 1}"));
        assertThat(process.run(new CallRequest("strict", "{\"n\": 1}"))).isEqualTo(first);
        assertThatThrownBy(() -> process.calls.submit("batch", List.of(call("strict"))))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("input_conflict"));
    }

    @Test
    void aBatchIsNotNamedLikeATurnOrAProcess() {
        for (String name : List.of("turn/1", "process/p")) {
            assertThatThrownBy(() -> bench.open(StaticToolProvider.builder().build()).calls.submit(name,
                    List.of(call("work"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + name + "\"")
                    .hasMessageContaining("turn/…, process/…");
        }
    }

    @Test
    void whatABodyReturnsOrThrowsIsContained() throws Exception {
        var number = ToolDefinition.raw("number", "Promises a number.", Json.of("{\"type\":\"object\"}"),
                Json.of("{\"type\":\"integer\"}")).effect(ToolEffect.READ);
        var tools = StaticToolProvider.builder()
                .raw(number, (arguments, context) -> "text")
                .raw(tool("nothing", ToolEffect.READ), (arguments, context) -> null)
                .raw(tool("object", ToolEffect.READ), (arguments, context) -> new Object())
                .raw(tool("throws", ToolEffect.READ), (arguments, context) -> {
                    throw new IllegalStateException("broken");
                })
                .raw(tool("error", ToolEffect.READ), (arguments, context) -> {
                    throw new AssertionError("worse");
                })
                .raw(tool("says", ToolEffect.READ), (arguments, context) -> {
                    throw new ToolException("no such order");
                })
                .raw(tool("deep", ToolEffect.READ), (arguments, context) -> deep(0))
                .build();
        assertThat(bench.open(tools)
                .run(call("number"), call("nothing"), call("object"), call("throws"),
                        call("error"), call("says"), call("deep")))
                .extracting(ToolOutcome::text)
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("Error (invalid_tool_output)"),
                        text -> assertThat(text).isEqualTo("(no output)"),
                        text -> assertThat(text).startsWith("Error (invalid_tool_output)"),
                        text -> assertThat(text).isEqualTo("Error (tool_threw): broken"),
                        text -> assertThat(text).isEqualTo("Error (tool_threw): worse"),
                        text -> assertThat(text).isEqualTo("Error (tool_failed): no such order"),
                        text -> assertThat(text).startsWith("Error (tool_threw)"));
    }

    private static int deep(int n) {
        return deep(n + 1) + 1;
    }

    @Test
    void aBodyMayDispatchAgain() throws Exception {
        Bench.OneProcess[] process = new Bench.OneProcess[1];
        var tools = StaticToolProvider.builder()
                .raw(tool("outer", ToolEffect.ONCE), (arguments, context) -> process[0].calls
                        .run("inner", List.of(call("inner")))
                        .outcomes()
                        .getFirst()
                        .text())
                .raw(tool("inner", ToolEffect.ONCE), (arguments, context) -> "within")
                .build();
        process[0] = bench.open(tools);
        assertThat(process[0].run(call("outer"))).containsExactly(
                new ToolOutcome.Success(Json.string("within")));
        assertThat(process[0].host.state(new ScopeId("inner"))).isPresent();
    }

    @Test
    void hooksGateAndProviderDecideInThisOrder() throws Exception {
        List<String> stages = Collections.synchronizedList(new ArrayList<>());
        ToolProvider tools = new Forwarding(echo()) {
            @Override
            public PrepareCall.Prepared prepare(PrepareCall call) {
                stages.add("prepare " + call.arguments());
                return call.replace(Json.of("{\"n\":3}")).freeze(Json.string("frozen"));
            }

            @Override
            public @Nullable Object execute(PreparedCall call) throws Exception {
                stages.add("body " + call.arguments() + " " + call.payload().orElseThrow());
                return super.execute(call);
            }
        };
        var hooks = new CallHooks() {
            @Override
            public Verdict before(CallView call, Site site) {
                stages.add("before " + call.arguments());
                return new Verdict.Proceed(Json.of("{\"n\":2}"));
            }

            @Override
            public ToolOutcome after(CallView call, ToolOutcome outcome, Site site) {
                stages.add("after " + outcome.text());
                return new ToolOutcome.Success(Json.number(4));
            }
        };
        List<ToolOutcome> outcomes = bench.open(tools, builder -> builder.hooks(hooks).policy(call -> {
            stages.add("gate " + call.arguments());
            return PolicyDecision.ALLOW;
        }).callerView(output -> {
            stages.add("project " + output.text());
            return new ToolOutcome.Success(Json.number(5));
        })).run(new CallRequest("strict", "{\"n\":\"bad\"}"));
        assertThat(stages).containsExactly("before {\"n\":\"bad\"}", "prepare {\"n\":2}",
                "gate {\"n\":3}", "body {\"n\":3} \"frozen\"", "after 3", "project 4");
        assertThat(outcomes).containsExactly(new ToolOutcome.Success(Json.number(5)));
    }

    @Test
    void hooksAndPoliciesThatThrowFailClosed() throws Exception {
        var hooks = new CallHooks() {
            @Override
            public Verdict before(CallView call, Site site) {
                throw new IllegalStateException("broken hook");
            }
        };
        var hooked = bench.open(echo(), builder -> builder.hooks(hooks));
        assertThat(hooked.run(new CallRequest("strict", "{\"n\":1}")).getFirst().code())
                .contains("before_hook_failed");
        hooked.close();
        var gated = bench.open(echo(), builder -> builder.policy(call -> {
            throw new IllegalStateException("broken policy");
        }));
        assertThat(
                gated.calls.run("other", List.of(new CallRequest("strict", "{\"n\":1}")))
                        .outcomes()
                        .getFirst()
                        .code())
                .contains("rejected");
        gated.close();
        var after = new CallHooks() {
            @Override
            public ToolOutcome after(CallView call, ToolOutcome outcome, Site site) {
                throw new IllegalStateException("broken hook");
            }
        };
        var looked = bench.open(echo(), builder -> builder.hooks(after));
        assertThat(
                looked.calls.run("third", List.of(new CallRequest("strict", "{\"n\":1}")))
                        .outcomes()
                        .getFirst()
                        .code())
                .contains("after_hook_failed");
    }

    @Test
    void aToolWithoutContractIsNotRun() throws Exception {
        ToolProvider tools = new Forwarding(echo()) {
            @Override
            public Optional<ToolContract> contract(ToolId id) {
                return Optional.empty();
            }
        };
        assertThat(bench.open(tools).run(new CallRequest("strict", "{\"n\":1}")).getFirst().code())
                .contains("tool_contract_unavailable");
    }

    @Test
    void halfACharacterIsMalformed() throws Exception {
        assertThat(bench.open(echo()).run(new CallRequest("strict", "{\"n\": \"\ud800\"}")).getFirst().code())
                .contains("malformed_arguments");
    }

    /** A provider that asks another one. */
    private abstract static class Forwarding implements ToolProvider {

        private final ToolProvider inner;

        Forwarding(ToolProvider inner) {
            this.inner = inner;
        }

        @Override
        public List<ToolDefinition> definitions() {
            return inner.definitions();
        }

        @Override
        public @Nullable Object execute(PreparedCall call) throws Exception {
            return inner.execute(call);
        }
    }
}
