package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.plugin.PluginBench;
import dev.belay.toolset.Decision;
import dev.belay.toolset.RoundEnd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract I.2, I.4, I.8: calls of a program's own loop are decided about, and it is given the arguments that a person has sent. */
class OwnLoopApprovalTest {

    private static final String OWN = " own-loop";

    @TempDir
    Path folder;
    private ApprovalBench bench = new ApprovalBench("memory", Path.of(""));
    /** Arguments that the loop was given, in the order of its entries. */
    private final List<String> given = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private void use(String store) {
        bench = new ApprovalBench(store + OWN, folder);
        bench.answer = call -> {
            given.add(((ApprovalBench.AnyTool.Any) call.input()).call().arguments().text());
            return bench.execute(call);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aDeniedCallOfAnOwnLoopDoesNotRun(String store) throws Exception {
        use(store);
        Belay belay = bench.worker(once(call("a", "{\"amount\":1}")),
                builder -> builder.policy(Policy.rules(PolicyRule.deny("stop").tools("refund"))));
        assertThat(bench.run(belay).text()).isEqualTo("done: Rejected: denied by rule \"stop\"");
        assertThat(bench.refunds).isEmpty();
        assertThat(belay.audit(0, 9)).extracting(entry -> entry.note().verb()).containsExactly("deny");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theLoopIsGivenTheDecidedInputWheneverItIsEnteredAgain(String store) throws Exception {
        use(store);
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        decide(bench.stores.client(), ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        assertThat(input.await().text()).isEqualTo("done: refunded 99");
        assertThat(given).containsExactly("{\"amount\":250}", "{\"amount\":99}");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
        assertThat(bench.keys).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anEditThatArrivesWhileTheLoopWaitsInTheCallEntersTheLoopAnew(String store) throws Exception {
        use(store);
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).parkAfter(Duration.ofMinutes(5)));
        var input = CompletableFuture.supplyAsync(() -> bench.submit(belay));
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}"))))
                .isEqualTo(VerbResult.DONE);
        assertThat(input.get(30, TimeUnit.SECONDS).await().text()).isEqualTo("done: refunded 99");
        assertThat(given).containsExactly("{\"amount\":250}", "{\"amount\":99}");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anEditThatArrivesBeforeTheRoundIsCommittedParksIt(String store) {
        use(store);
        Belay belay = bench.stores.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = bench.round(turn);
            var reply = bench.execute(round.expectOne());
            decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
            assertThat(round.commit(List.of(reply))).isInstanceOf(RoundEnd.Parked.class);
        }
        assertThat(bench.refunds).isEmpty();
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            bench.loop(turn);
        }
        assertThat(given).containsExactly("{\"amount\":99}");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aBodyWithTheProposedInputNeverRunsAfterAnEdit(String store) throws Exception {
        use(store);
        bench.answer = call -> call.run(((ApprovalBench.AnyTool.Any) call.input()).call(), context -> {
            bench.refunds.add("what the loop was given");
            return Json.string("refunded");
        });
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        input.await();
        assertThat(belay.session("s").calls(1)).singleElement()
                .satisfies(one -> assertThat(one.outcome().orElseThrow().text()).isEqualTo("refunded"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void hooksLookAtAnEditAndTheirOwnEditsBeforeStayApart(String store) throws Exception {
        use(store);
        PluginFactory hooks = PluginBench.plugin("cents", on -> on.toolCalls()
                .before(call -> call.arguments().get("amount").orElseThrow().asLong() < 0
                        ? BeforeVerdict.reject("amounts are positive")
                        : BeforeVerdict.edit(Json.of("{\"amount\":251}"))));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).plugin(hooks));
        InputHandle first = bench.ask(belay);
        assertThat(only(belay).request().call().arguments()).isEqualTo(Json.of("{\"amount\":251}"));
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        assertThat(first.await().text()).isEqualTo("done: refunded 99");
        assertThat(given).containsExactly("{\"amount\":251}", "{\"amount\":99}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void typedHooksDoNotChangeWhatAPersonHasDecidedOn(String store) throws Exception {
        use(store);
        bench.hooks = bench.hooks.on(ApprovalBench.AnyTool.Any.class, (call, in) -> Decision.proceed(
                new ApprovalBench.AnyTool.Any(in.call().withArguments(Json.of("{ \"amount\": 251 }")))));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        assertThat(only(belay).request().call().arguments()).isEqualTo(Json.of("{\"amount\":251}"));
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        assertThat(input.await().text()).isEqualTo("done: refunded 99");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aHookThatRejectsAnEditEndsTheCall(String store) throws Exception {
        use(store);
        PluginFactory hooks = PluginBench.plugin("positive", on -> on.toolCalls()
                .before(call -> call.arguments().get("amount").orElseThrow().asLong() < 0
                        ? BeforeVerdict.reject("amounts are positive")
                        : BeforeVerdict.proceed()));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).plugin(hooks));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":-9}")));
        assertThat(input.await().text()).isEqualTo("done: Rejected: amounts are positive");
        assertThat(bench.refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theFourthCallLikeThreeThatFailedIsNotRunInAnOwnLoop(String store) throws Exception {
        use(store);
        bench.body = (arguments, context) -> {
            bench.refunds.add(arguments.text());
            throw new IllegalStateException("does not work");
        };
        var one = List.of(call("a", "{\"amount\":1}"));
        Belay belay = bench.worker(calling(one, one, one, one), builder -> builder);
        assertThat(bench.run(belay).text()).startsWith("done: Error (repeat_guard)");
        assertThat(bench.refunds).hasSize(3);
    }
}
