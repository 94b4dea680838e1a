package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tests.policy.ApprovalBench.Everywhere;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/** Contract I.1, I.2, I.7 and I.8 on both stores and in both loops; {@link GateTest} has what is said of the runtime's loop alone. */
class GatedLoopsTest {

    private static final Policy NEVER = Policy.rules(PolicyRule.deny("never").tools("refund"));

    @TempDir
    Path folder;
    private ApprovalBench bench = new ApprovalBench("memory", Path.of(""));

    @AfterEach
    void close() {
        bench.close();
    }

    private void use(String where) {
        bench = new ApprovalBench(where, folder);
    }

    private static CallPart refund(String id, int amount) {
        return call(id, "{\"amount\":" + amount + "}");
    }

    @Everywhere
    void aDeniedCallDoesNotRunTheModelIsToldAndTheRunGoesOn(String where) throws Exception {
        use(where);
        Policy policy = Policy.rules(PolicyRule.deny("never")
                .tools("refund")
                .where("/amount", Match.above(100))
                .reason("too much"));
        Belay belay = bench.worker(calling(List.of(refund("a", 250), refund("b", 5))),
                builder -> builder.policy(policy));
        assertThat(bench.run(belay).text())
                .isEqualTo("done: Rejected: denied by rule \"never\": too much, refunded 5");
        assertThat(bench.refunds).containsExactly("{\"amount\":5}");
        assertThat(belay.audit(0, 9)).singleElement()
                .extracting(AuditEntry::note)
                .satisfies(note -> assertThat(note.target()).isEqualTo("turn 1 of session s, call a"));
    }

    @Everywhere
    void aPolicyThatThrowsDeniesAndIsLogged(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(calling(List.of(refund("a", 5))), builder -> builder.policy(call -> {
            throw new IllegalStateException("broken");
        }));
        try (var log = HeardLog.of("dev.belay.policy", Level.WARN)) {
            assertThat(bench.run(belay).text()).contains("denied by rule \"policy-failed\"");
            assertThat(log.from("The policy"))
                    .containsExactly(
                            "The policy of agent default threw at tool refund; the call is denied");
        }
        assertThat(bench.refunds).isEmpty();
    }

    @Everywhere
    void aCallThatAsksIsLoggedOnceAtWarn(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(calling(List.of(refund("a", 250))), builder -> builder.policy(ASKING));
        try (var log = HeardLog.of("dev.belay.policy", Level.WARN)) {
            InputHandle input = bench.ask(belay);
            String digest = ApprovalBench.only(belay).request().digest();
            decide(belay, ApprovalAnswer.once());
            input.await();
            assertThat(log.from("Tool refund asks")).singleElement()
                    .satisfies(line -> assertThat(line).startsWith(
                            "Tool refund asks for approval: call a of turn 1 of session s, digest "
                                    + digest));
        }
    }

    @Everywhere
    void aDenialIsLoggedWithItsRuleAndReason(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(calling(List.of(refund("a", 5))),
                builder -> builder.policy(call -> PolicyDecision.deny("never", "not today")));
        try (var log = HeardLog.of("dev.belay.policy", Level.INFO)) {
            bench.run(belay);
            assertThat(log.from("Denied")).containsExactly(
                    "Denied tool refund (call a of turn 1) by rule \"never\": not today");
        }
    }

    @Everywhere
    void aRuleCountsTheCallsOfItsTurnInTheModelsOrder(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(calling(List.of(refund("a", 1), refund("b", 2)),
                List.of(refund("c", 3), refund("d", 4))),
                builder -> builder
                        .policy(Policy.rules(PolicyRule.deny("three").tools("refund").afterCalls(3))));
        assertThat(bench.run(belay).text())
                .isEqualTo("done: refunded 3, Rejected: denied by rule \"three\"");
        assertThat(bench.refunds).hasSize(3);
    }

    @Everywhere
    void theFourthCallLikeThreeThatFailedIsNotRun(String where) throws Exception {
        use(where);
        bench.refund = bench.refund.effect(ToolEffect.READ);
        bench.body = (arguments, context) -> {
            bench.refunds.add(arguments.text());
            throw new IllegalStateException("does not work");
        };
        List<CallPart> same = List.of(refund("a", 5));
        Belay belay = bench.worker(calling(same, same, same, same), builder -> builder);
        assertThat(bench.run(belay).text()).startsWith("done: Error (repeat_guard)");
        assertThat(bench.refunds).hasSize(3);
    }

    @Everywhere
    void aPolicySeesTheGrantsOfTheSession(String where) throws Exception {
        use(where);
        List<List<String>> seen = new CopyOnWriteArrayList<>();
        Belay belay = bench.worker(calling(List.of(refund("a", 250)), List.of(refund("b", 300))),
                builder -> builder.policy(call -> {
                    seen.add(call.standing().grants().stream().map(Grant::by).toList());
                    return ASKING.decide(call);
                }));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.await();
        assertThat(seen).startsWith(List.of()).endsWith(List.of("anna"));
    }

    @Everywhere
    void aRuleMayDenyCallsWhileAnotherCallOfTheSessionIsInDoubt(String where) throws Exception {
        use(where);
        ApprovalBench.Body refunds = bench.body;
        var started = new CountDownLatch(1);
        bench.body = (arguments, context) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        Policy settled = Policy.rules(PolicyRule.deny("first-settle").effects(ToolEffect.ONCE).inDoubt());
        Belay first = bench.worker(calling(List.of(refund("a", 1)), List.of(refund("b", 2))),
                builder -> builder.drain(Duration.ZERO).policy(settled));
        Thread.ofVirtual().start(() -> bench.submit(first));
        started.await();
        first.close();
        bench.body = refunds;
        Belay belay = bench.worker(calling(List.of(refund("a", 1)), List.of(refund("b", 2))),
                builder -> builder.policy(settled));
        OperatorBench.until(() -> belay.session("s").input("in-1").isPresent());
        assertThat(belay.session("s").input("in-1").orElseThrow().await().text())
                .isEqualTo("done: Rejected: denied by rule \"first-settle\"");
        assertThat(bench.refunds).isEmpty();
        belay.doubts().didNotHappen(belay.doubts().open(0, 9).getFirst().id(), "no trace");
        assertThat(bench.run(belay).text()).contains("refunded 2");
    }

    @Everywhere
    void aCallThatHasStartedIsNotDecidedAboutAgain(String where) throws Exception {
        use(where);
        bench.refund = bench.refund.effect(ToolEffect.IDEMPOTENT);
        ApprovalBench.Body refunds = bench.body;
        var started = new CountDownLatch(1);
        bench.body = (arguments, context) -> {
            context.completionKey(); // records the start
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        Belay first = bench.worker(calling(List.of(refund("a", 1))), builder -> builder.drain(Duration.ZERO));
        Thread.ofVirtual().start(() -> bench.submit(first));
        started.await();
        first.close();
        bench.body = refunds;
        Belay second = bench.worker(calling(List.of(refund("a", 1))), builder -> builder.policy(NEVER));
        assertThat(second.session("s").input("in-1").orElseThrow().await().text())
                .isEqualTo("done: refunded 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCallThatReturnedPendingIsNotDecidedAboutAgain(String where) throws Exception {
        use(where);
        var tokens = new LinkedBlockingQueue<String>();
        var parking = StaticToolProvider.builder().raw(bench.refund, (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        }).build();
        Belay first = bench.stores.worker(calling(List.of(refund("a", 1))),
                builder -> builder.tools(parking));
        bench.submit(first);
        OperatorBench.until(() -> !first.pending(null, 9).items().isEmpty());
        first.close();
        Belay second = bench.stores.worker(calling(List.of(refund("a", 1))),
                builder -> builder.tools(parking).policy(NEVER));
        second.resolve(tokens.take(), Resolution.ok(Json.string("paid")));
        assertThat(second.session("s").input("in-1").orElseThrow().await().text()).isEqualTo("done: paid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void stepsOfAResumableBodyAreNotDecidedAboutApart(String where) throws Exception {
        use(where);
        bench.refund = bench.refund.resumable(true);
        bench.body = (arguments, context) -> {
            for (String step : List.of("one", "two", "three")) {
                context.durable().run(step, arguments, in -> in);
            }
            return "refunded";
        };
        List<PolicyCall> decided = new CopyOnWriteArrayList<>();
        Belay belay = bench.worker(calling(List.of(refund("a", 1))), builder -> builder.policy(call -> {
            decided.add(call);
            return PolicyDecision.ALLOW;
        }));
        assertThat(bench.run(belay).text()).isEqualTo("done: refunded");
        assertThat(decided).hasSize(1);
    }
}
