package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
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
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/** Contract I.1, I.2, I.7 and I.8 on both stores and in both loops; {@link GateTest} has what decisions write. */
@ApprovalCase.Everywhere
class GatedLoopsTest extends ApprovalCase {

    private static final Policy NEVER = Policy.rules(PolicyRule.deny("never").tools("refund"));

    private static CallPart refund(String id, int amount) {
        return call(id, "{\"amount\":" + amount + "}");
    }

    @Test
    void aDeniedCallDoesNotRunTheModelIsToldAndTheRunGoesOn() throws Exception {
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

    @Test
    void aPolicyThatThrowsDeniesAndIsLogged() throws Exception {
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

    @Test
    void aCallThatAsksIsLoggedOnceAtInfo() throws Exception {
        Belay belay = bench.worker(calling(List.of(refund("a", 250))), builder -> builder.policy(ASKING));
        try (var log = HeardLog.of("dev.belay.policy", Level.INFO)) {
            InputHandle input = bench.ask(belay);
            String keyId = ApprovalBench.only(belay).keyId();
            decide(belay, ApprovalAnswer.once());
            input.awaitCommit();
            assertThat(log.from("Tool refund waits")).singleElement()
                    .satisfies(line -> assertThat(line).startsWith(
                            "Tool refund waits for an approval: {\"amount\":250} in turn 1 of session s, key "
                                    + keyId + ", until ")
                            .as("a key that answers begins so")
                            .doesNotContain("b1."));
        }
    }

    @Test
    void aDenialIsLoggedWithItsRuleAndReason() throws Exception {
        Belay belay = bench.worker(calling(List.of(refund("a", 5))),
                builder -> builder.policy(call -> PolicyDecision.deny("never", "not today")));
        try (var log = HeardLog.of("dev.belay.policy", Level.INFO)) {
            bench.run(belay);
            assertThat(log.from("Denied")).containsExactly(
                    "Denied tool refund (call a of turn 1) by rule \"never\": not today");
        }
    }

    @Test
    void anIdOfTheProviderForgesNoLine() throws Exception {
        String forged = "x)\n[main] INFO dev.belay.policy - Allowed tool refund (call a of turn 1) by a person";
        Belay belay = bench.worker(
                calling(List.of(refund(forged, 250)), List.of(refund("b".repeat(101), 251))),
                builder -> builder.policy(ASKING));
        try (var log = HeardLog.of("dev.belay.policy", Level.DEBUG)) {
            InputHandle input = bench.ask(belay);
            assertThat(ApprovalBench.only(belay).request().shown()).contains("turn 1, call call_1_0\n")
                    .doesNotContain("[main]");
            decide(belay, ApprovalAnswer.deny("no"));
            ApprovalBench.asked(belay, 1);
            decide(belay, ApprovalAnswer.deny("no"));
            input.awaitCommit();
            assertThat(log.from("Tool refund waits")).extracting(line -> line.replaceFirst(", key.*", ""))
                    .containsExactly(
                            "Tool refund waits for an approval: {\"amount\":250} in turn 1 of session s",
                            "Tool refund waits for an approval: {\"amount\":251} in turn 1 of session s");
            assertThat(log.from("Allowed tool")).isEmpty();
        }
        assertThat(belay.session("s").calls(1)).extracting(TurnCall::id)
                .containsExactly("call_1_0",
                        "call_2_0");
    }

    @Test
    void aRuleCountsTheCallsOfItsTurnInTheModelsOrder() throws Exception {
        Belay belay = bench.worker(calling(List.of(refund("a", 1), refund("b", 2)),
                List.of(refund("c", 3), refund("d", 4))),
                builder -> builder
                        .policy(Policy.rules(PolicyRule.deny("three").tools("refund").afterCalls(3))));
        assertThat(bench.run(belay).text())
                .isEqualTo("done: refunded 3, Rejected: denied by rule \"three\"");
        assertThat(bench.refunds).hasSize(3);
        assertThat(bench.run(belay).text()).as("each turn counts anew").contains("refunded 3, Rejected");
    }

    @Test
    void aChildIsDecidedAboutByTheStrictestOfItsOwnPolicyAndThoseAbove() throws Exception {
        bench.delegatingTo("clerk");
        Belay belay = bench.worker(calling(List.of(SessionBench.call("d", "delegate"))),
                builder -> builder.policy(deny("above", 250))
                        .agent("clerk", clerk -> clerk
                                .model(calling(List.of(refund("a", 250), refund("b", 300))))
                                .tools(bench.refunding())
                                .policy(deny("own", 300))));
        assertThat(bench.run(belay).text()).isEqualTo("done: done: Rejected: denied by rule \"above\","
                + " Rejected: denied by rule \"own\"");
        assertThat(bench.refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"clerk", "default"})
    void aRuleAboveIsAboutTheChildAndTheSessionAboveByTheNamesOfTheirAgents(String named) throws Exception {
        bench.delegatingTo("clerk");
        Belay belay = bench.worker(calling(List.of(SessionBench.call("d", "delegate"))),
                builder -> builder.policy(Policy.rules(
                        PolicyRule.deny("named").tools("refund").agents(named)))
                        .agent("clerk", clerk -> clerk
                                .model(calling(List.of(refund("a", 250))))
                                .tools(bench.refunding())
                                .policy(Policy.NONE)));
        assertThat(bench.run(belay).text()).isEqualTo("done: done: Rejected: denied by rule \"named\"");
        assertThat(bench.refunds).isEmpty();
    }

    private static Policy deny(String rule, int amount) {
        return Policy.rules(PolicyRule.deny(rule)
                .tools("refund")
                .where("/amount", Match.equalTo(Json.number(amount))));
    }

    @Test
    void anAgentWithoutAPolicyHasThatOfTheBuilder() throws Exception {
        bench.agent = "clerk";
        Belay belay = bench.worker(calling(), builder -> bench.tools(builder.policy(NEVER), "clerk",
                calling(List.of(refund("a", 1))), null));
        assertThat(bench.run(belay).text()).isEqualTo("done: Rejected: denied by rule \"never\"");
    }

    @Test
    void theFourthCallLikeThreeThatFailedIsNotRun() throws Exception {
        bench.refund = bench.refund.effect(ToolEffect.READ);
        bench.body = (arguments, context) -> {
            bench.refunds.add(arguments.text());
            throw new IllegalStateException("does not work");
        };
        List<String> forms = List.of("{\"amount\":5,\"to\":\"a\"}", "{\"to\":\"a\",\"amount\":5}",
                "{\"amount\":5.0, \"to\":\"\\u0061\"}", "{\"amount\":5,\"to\":\"a\"}",
                "{\"amount\":5,\"to\":\"b\"}");
        Belay belay = bench.worker(model(request -> {
            int round = SessionBench.roundsSinceUser(request);
            return round < forms.size() ? calls(List.of(call("c" + round, forms.get(round)))) : text("done");
        }), builder -> builder);
        bench.run(belay);
        assertThat(codes(belay)).isEqualTo("tool_threw tool_threw tool_threw repeat_guard tool_threw");
        assertThat(bench.refunds).as("other arguments are another call").hasSize(4);
        bench.run(belay);
        assertThat(bench.refunds).as("each turn counts anew").hasSize(8);
    }

    private static String codes(Belay belay) {
        return Pattern.compile("Error \\((\\w+)\\)")
                .matcher(belay.session("s").messages().toString())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.joining(" "));
    }

    @Test
    void aCallThatWasDeniedThreeTimesMeetsTheGuardToo() throws Exception {
        List<CallPart> same = List.of(refund("a", 5));
        Belay belay = bench.worker(calling(same, same, same, same), builder -> builder.policy(NEVER));
        assertThat(bench.run(belay).text()).startsWith("done: Error (repeat_guard)");
        assertThat(belay.audit(0, 9)).hasSize(3);
    }

    @Test
    void aTurnWhoseCallsWorkIsNotGuarded() throws Exception {
        List<CallPart> same = List.of(refund("a", 5));
        Belay belay = bench.worker(calling(same, same, same, same, same), builder -> builder);
        assertThat(bench.run(belay).text()).isEqualTo("done: refunded 5");
        assertThat(bench.refunds).hasSize(5);
    }

    @Test
    void aPolicySeesTheGrantsOfTheSession() throws Exception {
        List<List<String>> seen = new CopyOnWriteArrayList<>();
        Belay belay = bench.worker(calling(List.of(refund("a", 250)), List.of(refund("b", 300))),
                builder -> builder.policy(call -> {
                    seen.add(call.standing().grants().stream().map(Grant::by).toList());
                    return ASKING.decide(call);
                }));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        assertThat(seen).startsWith(List.of()).endsWith(List.of("anna"));
    }

    @Test
    void aRuleMayDenyCallsWhileAnotherCallOfTheSessionIsInDoubt() throws Exception {
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
        bench.submitBeside(first);
        started.await();
        first.close();
        bench.body = refunds;
        Belay belay = bench.worker(calling(List.of(refund("a", 1)), List.of(refund("b", 2))),
                builder -> builder.policy(settled));
        OperatorBench.until(() -> belay.session("s").input("in-1").isPresent());
        assertThat(belay.session("s").input("in-1").orElseThrow().awaitCommit().text())
                .isEqualTo("done: Rejected: denied by rule \"first-settle\"");
        assertThat(bench.refunds).isEmpty();
        belay.doubts().didNotHappen(belay.doubts().open(0, 9).getFirst().id(), "no trace");
        assertThat(bench.run(belay).text()).contains("refunded 2");
    }

    @Test
    void aCallThatHasStartedIsNotDecidedAboutAgain() throws Exception {
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
        bench.submitBeside(first);
        started.await();
        first.close();
        bench.body = refunds;
        Belay second = bench.worker(calling(List.of(refund("a", 1))), builder -> builder.policy(NEVER));
        assertThat(second.session("s").input("in-1").orElseThrow().awaitCommit().text())
                .isEqualTo("done: refunded 1");
    }

    @Test
    void aCallThatReturnedPendingIsNotDecidedAboutAgain() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        bench.body = (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        };
        Belay first = bench.worker(calling(List.of(refund("a", 1))), builder -> builder);
        bench.submit(first);
        String token = tokens.take();
        first.close();
        Belay second = bench.worker(calling(List.of(refund("a", 1))), builder -> builder.policy(NEVER));
        second.resolve(token, Resolution.ok(Json.string("paid")));
        assertThat(second.session("s").input("in-1").orElseThrow().awaitCommit().text())
                .isEqualTo("done: paid");
    }

    @Test
    void stepsOfAResumableBodyAreNotDecidedAboutApart() throws Exception {
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
