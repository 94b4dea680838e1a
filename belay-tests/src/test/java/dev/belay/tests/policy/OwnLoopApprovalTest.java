package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.option.Scheduling;
import dev.belay.toolset.Decision;
import dev.belay.toolset.RoundEnd;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract I.2, I.4, I.8: calls of a program's own loop are decided about, and it is given the arguments that a person has sent. */
@ApprovalCase.InOwnLoops
class OwnLoopApprovalTest extends ApprovalCase {

    /** Arguments that the loop was given, in the order of its entries. */
    private final List<String> given = new CopyOnWriteArrayList<>();

    @BeforeEach
    void listen() {
        bench.answer = call -> {
            given.add(((ApprovalBench.AnyTool.Any) call.input()).call().arguments().text());
            return bench.execute(call);
        };
    }

    @Test
    void theLoopIsGivenTheDecidedInputWheneverItIsEnteredAgain() throws Exception {
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        decide(bench.stores.client(), ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 99");
        assertThat(given).containsExactly("{\"amount\":250}", "{\"amount\":99}");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
        assertThat(bench.keys).hasSize(1);
    }

    @Test
    void anEditThatArrivesWhileTheLoopWaitsInTheCallEntersTheLoopAnew() throws Exception {
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).parkAfter(Duration.ofMinutes(5)));
        var input = CompletableFuture.supplyAsync(() -> bench.submit(belay));
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}"))))
                .isEqualTo(VerbResult.DONE);
        assertThat(input.get(30, TimeUnit.SECONDS).awaitCommit().text()).isEqualTo("done: refunded 99");
        assertThat(given).containsExactly("{\"amount\":250}", "{\"amount\":99}");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
    }

    @Test
    void anEditThatArrivesBeforeTheRoundIsCommittedParksIt() {
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

    @Test
    void aRoundThatParksSaysWhatItWaitsFor() {
        Belay belay = bench.stores.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING));
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = bench.round(turn);
            RoundEnd end = round.commit(List.of(bench.execute(round.expectOne())));

            assertThat(end).isInstanceOfSatisfying(RoundEnd.Parked.class,
                    parked -> assertThat(parked.waits()).singleElement().satisfies(wait -> {
                        assertThat(wait.kind()).isEqualTo(Wait.Kind.APPROVAL);
                        assertThat(wait.tool()).isEqualTo("refund");
                        assertThat(wait.keyId()).isEqualTo(only(belay).keyId());
                    }));
        }
    }

    @Test
    void aBodyWithTheProposedInputNeverRunsAfterAnEdit() throws Exception {
        bench.answer = call -> call.run(((ApprovalBench.AnyTool.Any) call.input()).call(), context -> {
            bench.refunds.add("what the loop was given");
            return Json.string("refunded");
        });
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        input.awaitCommit();
        assertThat(belay.session("s").calls(1)).singleElement()
                .satisfies(one -> assertThat(one.outcome().orElseThrow().text()).isEqualTo("refunded"));
    }

    @Test
    void typedHooksDoNotChangeWhatAPersonHasDecidedOn() throws Exception {
        bench.hooks = bench.hooks.on(ApprovalBench.AnyTool.Any.class, (call, in) -> Decision.proceed(
                new ApprovalBench.AnyTool.Any(in.call().withArguments(Json.of("{ \"amount\": 251 }")))));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        assertThat(only(belay).request().call().arguments()).isEqualTo(Json.of("{\"amount\":251}"));
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")));
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 99");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
    }

    @Test
    void aCallAsksWhenTheLoopRunsIt() throws Exception {
        List<Integer> open = new CopyOnWriteArrayList<>();
        bench.refund = bench.refund.scheduling(Scheduling.SERIAL);
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}"), call("b", "{\"amount\":300}")));
        bench.answer = call -> {
            open.add(belay.approvals().open(null, 9).items().size());
            return bench.execute(call);
        };
        bench.ask(belay, 2);
        assertThat(open).containsExactly(0, 1);
    }
}
