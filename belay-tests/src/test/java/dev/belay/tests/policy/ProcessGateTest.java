package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message.ToolMessage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.policy.ApprovalBench.Callable;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Contract I.2: a process that a call starts has the policy and the membership of its session, and none of its grants. */
@ApprovalCase.Everywhere
class ProcessGateTest extends ApprovalCase {

    private static final Json BIG = Json.of("{\"amount\":250}");
    private static final Policy NO_REFUNDS = Policy
            .rules(PolicyRule.deny("no-refunds").tools("refund").reason("not here"));

    /** A tool that starts a process, and ends with its id. */
    private static Callable starts(ProcessStart start) {
        return new Callable(tool("start", ToolEffect.ONCE),
                (arguments, context) -> ((SessionToolContext) context).processes()
                        .start("refund", start)
                        .id()
                        .value());
    }

    private static ProcessStart refund() {
        return ProcessStart.tool("refund", BIG);
    }

    /** An agent without a policy, and the session's own, which starts a process. */
    private Belay worker(ProcessStart start, Policy policy) {
        bench.served = true;
        bench.beside(starts(start));
        return bench.worker(once(call("p", "start")), builder -> withClerk(builder.policy(policy)));
    }

    private BelayBuilder withClerk(BelayBuilder builder) {
        return builder.agent("clerk", clerk -> clerk.model(once(call("p", "start")))
                .policy(Policy.NONE)
                .tools(bench.refunding())
                .tools(ApprovalBench.provider(List.of(starts(refund().agent("third"))))))
                .agent("third",
                        third -> third.model(calling()).policy(Policy.NONE).tools(bench.refunding()));
    }

    private static ProcessEnd ended(Belay belay) throws Exception {
        return belay.processes().get(started(belay)).awaitEnd();
    }

    private static String started(Belay belay) {
        OperatorBench.until(() -> !belay.processes().list(0, 9).isEmpty());
        return belay.processes().list(0, 9).getFirst().id().value();
    }

    private void denied(Belay belay, String why) throws Exception {
        assertThat(ended(belay)).isInstanceOfSatisfying(ProcessEnd.Failed.class,
                failed -> assertThat(failed.failure().message()).contains(why));
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aProcessUnderAnotherAgentIsDecidedAboutByThePolicyOfTheSessionThatStartsIt()
            throws Exception {
        Belay belay = worker(refund().agent("clerk"), NO_REFUNDS);
        bench.run(belay);
        denied(belay, "denied by rule \"no-refunds\": not here");
    }

    @Test
    void aProcessOfAChildIsDecidedAboutByThePoliciesOfAllSessionsAbove() throws Exception {
        bench.delegatingTo("clerk");
        Belay belay = bench.worker(once(call("d", "delegate")),
                builder -> withClerk(builder.policy(NO_REFUNDS)));
        bench.run(belay);
        denied(belay, "denied by rule \"no-refunds\"");
    }

    @Test
    void thePolicyOfTheSessionCountsAlsoAfterTheSessionWasDeletedAndInAnotherProcess()
            throws Exception {
        Belay first = worker(refund().agent("clerk"), ASKING);
        bench.run(first);
        asked(first, 1);
        first.session("s").delete();
        first.close();
        Belay second = worker(refund().agent("clerk"), NO_REFUNDS);
        decide(second, ApprovalAnswer.once());
        denied(second, "no-refunds");
    }

    @Test
    void whereTheAgentOfTheSessionIsNotDefinedItsProcessIsDenied() throws Exception {
        bench.beside(starts(refund().agent("clerk")));
        bench.agent = "boss";
        Belay first = bench.worker(calling(),
                builder -> bench.tools(withClerk(builder), "boss", once(call("p", "start")), ASKING));
        bench.run(first);
        asked(first, 1);
        first.close();
        Belay second = bench.stores.worker(calling(), this::withClerk);
        decide(second, ApprovalAnswer.once());
        denied(second, "session s above has the agent \"boss\", which is not defined here");
    }

    @Test
    void aProcessHasNoGrantAndItsRequestShowsTheSessionThatStartedIt() throws Exception {
        bench.served = true;
        bench.beside(starts(refund()));
        Belay belay = bench.worker(
                calling(List.of(ApprovalBench.call("a", BIG.text())), List.of(call("p", "start"))),
                builder -> builder.policy(ASKING));
        var input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        assertThat(belay.session("s").grants().list()).hasSize(1);
        asked(belay, 1);
        assertThat(bench.refunds).as("the grant let the first call run, and not the process").hasSize(1);
        assertThat(only(belay).request().shown()).contains("process started by: s\n")
                .doesNotContain("session: ");
        assertThat(only(belay).request().allowed()).doesNotContain(Choice.TURN, Choice.SESSION);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":90}")));
        assertThat(ended(belay)).isEqualTo(new ProcessEnd.Completed(Json.string("refunded 90")));
        assertThat(belay.session("s").messages().toString()).doesNotContain("arguments_changed");
    }

    @Test
    void aPolicySeesAProcessAsACallOfTheSessionThatStartedIt() throws Exception {
        List<PolicyCall> seen = new CopyOnWriteArrayList<>();
        Belay belay = worker(refund().agent("clerk"), call -> {
            seen.add(call);
            return PolicyDecision.ALLOW;
        });
        bench.run(belay);
        ended(belay);
        assertThat(seen).extracting(PolicyCall::agent).containsExactly("default", "default", "clerk");
        assertThat(seen.subList(1, 3)).allSatisfy(call -> {
            assertThat(call.tool()).isEqualTo("refund");
            assertThat(call.session()).isEqualTo("s");
            assertThat(call.depth()).isEqualTo(0);
            assertThat(call.standing().grants()).isEmpty();
        });
    }

    @Test
    void theCallOfAProcessCountsInTheTurnThatStartedIt() throws Exception {
        bench.served = true;
        bench.beside(starts(refund()));
        Belay belay = bench.worker(
                model(request -> { // whatever notes say in between
                    long done = request.messages().stream().filter(ToolMessage.class::isInstance).count();
                    return done == 0
                            ? calls(List.of(call("p", "start")))
                            : done == 1
                                    ? calls(List.of(ApprovalBench.call("a", BIG.text())))
                                    : text("done: " + SessionBench.lastReplies(request));
                }),
                builder -> builder
                        .policy(Policy.rules(PolicyRule.deny("enough").tools("refund").afterCalls(1))));
        assertThat(bench.run(belay).text()).contains("denied by rule \"enough\"");
        assertThat(ended(belay)).isInstanceOf(ProcessEnd.Completed.class);
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void aToolThatWasTakenFromTheSessionCannotBeStartedThereAsAProcess() throws Exception {
        Belay belay = worker(refund(), Policy.NONE);
        belay.session("s").tools().setMembership(List.of("refund"), false);
        assertThat(bench.run(belay).text())
                .contains("Error (tool_unavailable): tool refund is no member of session s");
        assertThat(belay.processes().list(0, 9)).isEmpty();
        assertThat(belay.session("other").turn("Go.").run().ended().text())
                .doesNotContain("tool_unavailable");
    }

    @Test
    void aToolThatIsTakenFromTheSessionWhileItsProcessAsksDoesNotRun() throws Exception {
        taken(worker(refund(), ASKING));
    }

    @Test
    void aToolThatIsTakenBeforeItsProcessHasParkedDoesNotRun() throws Exception {
        bench.served = true;
        bench.beside(starts(refund()));
        taken(bench.worker(once(call("p", "start")),
                builder -> builder.policy(ASKING).parkAfter(Duration.ofMinutes(5))));
    }

    private void taken(Belay belay) throws Exception {
        bench.run(belay);
        asked(belay, 1);
        belay.session("s").tools().setMembership(List.of("refund"), false);
        decide(belay, ApprovalAnswer.once());
        assertThat(ended(belay)).isInstanceOfSatisfying(ProcessEnd.Failed.class,
                failed -> assertThat(failed.failure().code()).isEqualTo("tool_unavailable"));
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aSessionThatAProcessOfACallMakesStandsBelowTheSessionOfTheCall() throws Exception {
        bench.beside(starts(ProcessStart.turn("made", "Go.").agent("clerk")));
        Belay belay = bench.worker(once(call("p", "start")),
                builder -> builder.policy(NO_REFUNDS)
                        .agent("clerk", clerk -> clerk
                                .model(calling(List.of(ApprovalBench.call("a", BIG.text()))))
                                .policy(Policy.NONE)
                                .tools(bench.refunding())));
        bench.run(belay);
        assertThat(ended(belay)).isEqualTo(new ProcessEnd.Completed(
                Json.string("done: Rejected: denied by rule \"no-refunds\": not here")));
        assertThat(bench.refunds).isEmpty();
    }
}
