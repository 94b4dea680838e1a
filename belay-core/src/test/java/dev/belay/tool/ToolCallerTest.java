package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.IdempotencyKey.Place;
import dev.belay.tool.context.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract A.7 (prepare and execute), B.4 (validation comes first), F.1 to F.3 for a whole call, F.5 ({@code call_ended}), T
 * ({@code capability_unavailable}).
 */
class ToolCallerTest {

    private static final Incarnation INCARNATION = new Incarnation(0x0011223344556677L, 0x8899aabbccddeeffL);

    record Pay(int amount) {}

    private static final ToolDefinition PAY = ToolDefinition.typed(Pay.class, String.class, "pay", "Pays.");

    /** Prepares and executes as given, and notes what happened. */
    private static final class Provider implements ToolProvider {

        private final Preparation preparation;
        private final StaticToolProvider.Executor executor;
        private final List<String> steps = new ArrayList<>();

        interface Preparation {
            PrepareCall.Prepared prepare(PrepareCall call) throws Exception;
        }

        Provider(Preparation preparation, StaticToolProvider.Executor executor) {
            this.preparation = preparation;
            this.executor = executor;
        }

        @Override
        public List<ToolDefinition> definitions() {
            return List.of(PAY);
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
            steps.add("prepare " + call.definition().name() + " " + call.callId() + " "
                    + call.arguments().text());
            return preparation.prepare(call);
        }

        @Override
        public @Nullable Object execute(PreparedCall call) throws Exception {
            steps.add("execute " + call.input());
            return executor.execute(call);
        }
    }

    private static ToolOutcome call(StaticToolProvider.Executor body) {
        return ToolCaller.of(StaticToolProvider.of(List.of(PAY), body), INCARNATION)
                .call("pay",
                        "{\"amount\":3}");
    }

    @Test
    void oneCallIsPreparedThenExecuted() {
        var provider = new Provider(PrepareCall::unchanged, call -> call.input(Pay.class).amount() + " paid");
        assertThat(ToolCaller.of(provider).call("pay", "{\"amount\": 3}"))
                .isEqualTo(new ToolOutcome.Success(Json.string("3 paid")));
        assertThat(provider.steps).containsExactly("prepare pay call_0_0 {\"amount\": 3}",
                "execute Pay[amount=3]");
    }

    @Test
    void validationPrecedesPreparationAndBody() {
        var provider = new Provider(PrepareCall::unchanged, call -> "paid");
        var caller = ToolCaller.of(provider);
        assertThat(caller.call("pay", "{\"amount\":\"3\"}").status().name()).isEqualTo("ERROR");
        assertThat(caller.call("pay", "{").status().name()).isEqualTo("ERROR");
        assertThat(provider.steps).isEmpty();
    }

    @Test
    void anUnknownNameIsAnswered() {
        assertThat(ToolCaller.of(StaticToolProvider.of(List.of(PAY), call -> "")).call("pya", "{}").text())
                .isEqualTo("Error (unknown_tool): there is no tool \"pya\"; did you mean pay?");
    }

    @Test
    void prepareMayReplaceArguments() {
        var provider = new Provider(call -> call.replace(Json.of("{\"amount\":4}")),
                call -> call.input(Pay.class).amount() + call.arguments().text());
        assertThat(ToolCaller.of(provider).call("pay", "{\"amount\":3}").text()).isEqualTo("4{\"amount\":4}");
    }

    @Test
    void replacedArgumentsAreValidatedAgain() {
        var provider = new Provider(call -> call.replace(Json.of("{\"amount\":\"four\"}")), call -> "paid");
        assertThat(ToolCaller.of(provider).call("pay", "{\"amount\":3}").text())
                .isEqualTo("Error (invalid_arguments): the arguments of pay do not fit its schema:\n"
                        + "/amount: expected a whole number, found \"four\"");
        assertThat(provider.steps).hasSize(1);
    }

    @Test
    void aFrozenPayloadReachesTheBody() {
        var frozen = new Provider(call -> call.freeze(Json.of("{\"price\":9.50}")),
                call -> call.payload().orElseThrow());
        var definition = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"));
        ToolProvider raw = new ToolProvider() {
            @Override
            public List<ToolDefinition> definitions() {
                return List.of(definition);
            }

            @Override
            public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
                return call.replace(Json.of("{\"amount\":5}")).freeze(Json.of("{\"price\":9.50}"));
            }

            @Override
            public Object execute(PreparedCall call) throws Exception {
                return call.arguments().text() + call.payload().orElseThrow().text();
            }
        };
        assertThat(ToolCaller.of(raw).call("pay", "{}").text()).isEqualTo("{\"amount\":5}{\"price\":9.50}");
        assertThat(ToolCaller.of(frozen).call("pay", "{\"amount\":3}").status().name()).isEqualTo("ERROR");
        assertThat(call(unprepared -> unprepared.payload().isPresent() ? "frozen" : "nothing").text())
                .isEqualTo("nothing");
    }

    @Test
    void whatPrepareThrowsIsContained() {
        var provider = new Provider(call -> {
            throw new IllegalStateException("no stock");
        }, call -> "paid");
        assertThat(ToolCaller.of(provider).call("pay", "{\"amount\":3}").text())
                .isEqualTo("Error (tool_threw): no stock");
    }

    @Test
    void theContextKnowsTheCall() {
        ToolOutcome outcome = call(call -> {
            ToolContext context = call.context();
            assertThat(context.callId()).isEqualTo(new CallId("call_0_0"));
            assertThat(context.deadline()).isEmpty();
            assertThat(context.cancellation().isRequested()).isFalse();
            context.progress().report("half");
            return context.idempotencyKey().value();
        });
        assertThat(outcome.text())
                .isEqualTo(
                        IdempotencyKey.of(new Place(INCARNATION, 0, 0, 0), new ToolId("tool:pay")).value());
    }

    @Test
    void everyCallHasAKeyOfItsOwn() {
        var caller = ToolCaller.of(StaticToolProvider.of(List.of(PAY),
                call -> call.context().callId() + " " + call.context().idempotencyKey()), INCARNATION);
        assertThat(List.of(caller.call("pay", "{\"amount\":3}").text(),
                caller.call("pay", "{\"amount\":3}").text()))
                .containsExactly(
                        "call_0_0 " + IdempotencyKey.of(new Place(INCARNATION, 0, 0, 0), PAY.id()),
                        "call_1_0 " + IdempotencyKey.of(new Place(INCARNATION, 0, 1, 0), PAY.id()));
    }

    @Test
    void twoCallersHaveTwoIncarnations() {
        var provider = StaticToolProvider.of(List.of(PAY), call -> call.context().idempotencyKey().value());
        assertThat(ToolCaller.of(provider).call("pay", "{\"amount\":3}"))
                .isNotEqualTo(ToolCaller.of(provider).call("pay", "{\"amount\":3}"));
    }

    interface Capability {
        @Nullable
        Object of(ToolContext context);
    }

    static Stream<Named<Capability>> capabilities() {
        return Stream.of(Named.of("callId", ToolContext::callId),
                Named.of("idempotencyKey", ToolContext::idempotencyKey),
                Named.of("deadline", ToolContext::deadline),
                Named.of("cancellation", ToolContext::cancellation),
                Named.of("progress", ToolContext::progress),
                Named.of("completionKey", ToolContext::completionKey),
                Named.of("attachments", ToolContext::attachments), Named.of("model", ToolContext::model),
                Named.of("durable", ToolContext::durable), Named.of("fence", ToolContext::fence));
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void afterTheEndEveryCapabilityThrowsCallEnded(Capability capability) {
        var kept = new AtomicReference<ToolContext>();
        call(call -> {
            kept.set(call.context());
            throw new IllegalStateException("also after a failure");
        });
        assertThatThrownBy(() -> capability.of(kept.get()))
                .isInstanceOfSatisfying(ToolException.class,
                        e -> assertThat(e.failure()).isEqualTo(ToolFailure.ofRuntime(
                                ToolFailure.Kind.INVALID_REQUEST, "call_ended",
                                "call call_0_0 has ended; its context cannot be used any more")));
    }

    @Test
    void everyCapabilityOfTheContextIsTried() {
        assertThat(capabilities()).hasSameSizeAs(ToolContext.class.getMethods());
    }

    static Stream<Arguments> capabilitiesOfASession() {
        return Stream.of(capability("completionKey", ToolContext::completionKey),
                capability("attachments", ToolContext::attachments), capability("model", ToolContext::model),
                capability("fence", ToolContext::fence));
    }

    private static Arguments capability(String name, Capability capability) {
        return Arguments.of(name, Named.of("capability", capability));
    }

    @ParameterizedTest
    @MethodSource("capabilitiesOfASession")
    void whatNeedsASessionIsUnavailable(String name, Capability capability) {
        assertThat(call(call -> capability.of(call.context())).text())
                .isEqualTo("Error (capability_unavailable): " + name
                        + " needs a session of the runtime; this call runs without one");
    }

    @Test
    void durableStepsNeedASession() {
        assertThat(call(call -> call.context().durable()).text()).isEqualTo(
                "Error (durable_effects_unavailable): durable steps need a session of the runtime; this call runs "
                        + "without one");
    }

    @Test
    void parkingNeedsASession() {
        assertThat(call(call -> ToolResult.pending()).text()).isEqualTo(
                "Error (pending_tool_missing_completion_key): tool pay wants to be completed later, which needs a "
                        + "session; its effect may have happened: find out before you try again");
    }

    @Test
    void errorsOfTheVirtualMachineEndTheCallAndPassThrough() {
        var kept = new AtomicReference<ToolContext>();
        var fatal = new OutOfMemoryError("test");
        assertThatThrownBy(() -> call(call -> {
            kept.set(call.context());
            throw fatal;
        })).isSameAs(fatal);
        assertThatThrownBy(() -> kept.get().callId()).isInstanceOf(ToolException.class);
    }

    @Test
    void toolsThatChangeAreSeen() {
        var definitions = new AtomicReference<>(List.of(PAY));
        ToolProvider provider = new ToolProvider() {
            @Override
            public List<ToolDefinition> definitions() {
                return definitions.get();
            }

            @Override
            public Object execute(PreparedCall call) {
                return call.name();
            }
        };
        var caller = ToolCaller.of(provider);
        assertThat(caller.call("pay", "{\"amount\":3}").text()).isEqualTo("pay");
        definitions.set(List.of());
        assertThat(caller.call("pay", "{\"amount\":3}").text())
                .isEqualTo("Error (unknown_tool): there is no tool \"pay\"; no tools are available");
    }

    @Test
    void aCompletionKeyShowsOnlyItsPublicPart() {
        assertThat(new CompletionKey("k1", "k1.secret")).hasToString("CompletionKey[k1]");
    }
}
