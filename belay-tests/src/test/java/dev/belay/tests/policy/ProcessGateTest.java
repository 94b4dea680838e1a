package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
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
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract I.2: a process that a call starts has the policy and the membership of its session, and none of its grants. */
class ProcessGateTest {

    private static final Json BIG = Json.of("{\"amount\":250}");
    private static final Policy NO_REFUNDS = Policy
            .rules(PolicyRule.deny("no-refunds").tools("refund").reason("not here"));

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

    /** A tool that starts a process, and ends with its id. */
    private static StaticToolProvider starting(ProcessStart start) {
        return StaticToolProvider.builder()
                .raw(tool("start", ToolEffect.ONCE), (arguments, context) -> ((SessionToolContext) context)
                        .processes()
                        .start("refund", start)
                        .id()
                        .value())
                .build();
    }

    private static ProcessStart refund() {
        return ProcessStart.tool("refund", BIG);
    }

    /** An agent without a policy, and the session's own, which starts its process. */
    private Belay worker(ProcessStart start, Policy policy) {
        return bench.stores.worker(calling(List.of(call("p", "start"))),
                builder -> withClerk(builder.tools(bench.provider()).tools(starting(start)).policy(policy)));
    }

    private BelayBuilder withClerk(BelayBuilder builder) {
        return builder.agent("clerk", clerk -> clerk.model(calling(List.of(call("p", "start"))))
                .policy(Policy.NONE)
                .tools(bench.provider())
                .tools(starting(refund().agent("third"))))
                .agent("third",
                        third -> third.model(calling()).policy(Policy.NONE).tools(bench.provider()));
    }

    private static ProcessEnd ended(Belay belay) throws Exception {
        return belay.processes().get(started(belay)).await();
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

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aProcessUnderAnotherAgentIsDecidedAboutByThePolicyOfTheSessionThatStartsIt(String store)
            throws Exception {
        use(store);
        Belay belay = worker(refund().agent("clerk"), NO_REFUNDS);
        belay.session("s").turn("Go.").run();
        denied(belay, "denied by rule \"no-refunds\": not here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aProcessOfAChildIsDecidedAboutByThePoliciesOfAllSessionsAbove(String store) throws Exception {
        use(store);
        var delegating = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.ONCE),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("child", "clerk")
                                .turn("go", "Go.")
                                .await()
                                .text())
                .build();
        Belay belay = bench.stores.worker(calling(List.of(call("d", "delegate"))),
                builder -> withClerk(builder.tools(delegating).policy(NO_REFUNDS)));
        belay.session("s").turn("Go.").run();
        denied(belay, "denied by rule \"no-refunds\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void thePolicyOfTheSessionCountsAlsoAfterTheSessionWasDeletedAndInAnotherProcess(String store)
            throws Exception {
        use(store);
        Belay first = worker(refund().agent("clerk"), ASKING);
        first.session("s").turn("Go.").run();
        OperatorBench.until(() -> !first.approvals().open(null, 9).items().isEmpty());
        first.session("s").delete();
        first.close();
        Belay second = worker(refund().agent("clerk"), NO_REFUNDS);
        decide(second, ApprovalAnswer.once());
        denied(second, "no-refunds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whereTheAgentOfTheSessionIsNotDefinedItsProcessIsDenied(String store) throws Exception {
        use(store);
        Belay first = bench.stores.worker(calling(List.of(call("p", "start"))),
                builder -> withClerk(builder).agent("boss", boss -> boss
                        .model(calling(List.of(call("p", "start"))))
                        .tools(starting(refund().agent("clerk")))
                        .policy(ASKING)));
        first.agent("boss").session("b").turn("Go.").run();
        OperatorBench.until(() -> !first.approvals().open(null, 9).items().isEmpty());
        first.close();
        Belay second = bench.stores.worker(calling(), this::withClerk);
        decide(second, ApprovalAnswer.once());
        denied(second, "session b above has the agent \"boss\", which is not defined here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aProcessHasNoGrantAndItsRequestShowsTheSessionThatStartedIt(String store) throws Exception {
        use(store);
        Belay belay = bench.stores.worker(
                calling(List.of(ApprovalBench.call("a", BIG.text())), List.of(call("p", "start"))),
                builder -> builder.tools(bench.provider()).tools(starting(refund())).policy(ASKING));
        var input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.await();
        assertThat(belay.session("s").grants().list()).hasSize(1);
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        assertThat(bench.refunds).as("the grant let the first call run, and not the process").hasSize(1);
        assertThat(only(belay).request().shown()).contains("process started by: s\n")
                .doesNotContain("session: ");
        assertThat(only(belay).request().allowed()).doesNotContain(Choice.TURN, Choice.SESSION);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":90}")));
        assertThat(ended(belay)).isEqualTo(new ProcessEnd.Completed(Json.string("refunded 90")));
        assertThat(belay.session("s").messages().toString()).doesNotContain("arguments_changed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aPolicySeesAProcessAsACallOfTheSessionThatStartedIt(String store) throws Exception {
        use(store);
        List<PolicyCall> seen = new CopyOnWriteArrayList<>();
        Belay belay = worker(refund().agent("clerk"), call -> {
            seen.add(call);
            return PolicyDecision.ALLOW;
        });
        belay.session("s").turn("Go.").run();
        ended(belay);
        assertThat(seen).hasSize(2).last().satisfies(call -> {
            assertThat(call.tool()).isEqualTo("refund");
            assertThat(call.agent()).isEqualTo("default");
            assertThat(call.session()).isEqualTo("s");
            assertThat(call.depth()).isEqualTo(0);
            assertThat(call.standing().grants()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aToolThatWasTakenFromTheSessionCannotBeStartedThereAsAProcess(String store) throws Exception {
        use(store);
        Belay belay = worker(refund(), Policy.NONE);
        belay.session("s").tools().setMembership(List.of("refund"), false);
        assertThat(belay.session("s").turn("Go.").run().text())
                .contains("Error (tool_unavailable): tool refund is no member of session s");
        assertThat(belay.processes().list(0, 9)).isEmpty();
        assertThat(belay.session("other").turn("Go.").run().text()).doesNotContain("tool_unavailable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aToolThatIsTakenFromTheSessionWhileItsProcessAsksDoesNotRun(String store) throws Exception {
        use(store);
        Belay belay = worker(refund(), ASKING);
        belay.session("s").turn("Go.").run();
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        belay.session("s").tools().setMembership(List.of("refund"), false);
        decide(belay, ApprovalAnswer.once());
        assertThat(ended(belay)).isInstanceOfSatisfying(ProcessEnd.Failed.class,
                failed -> assertThat(failed.failure().code()).isEqualTo("tool_unavailable"));
        assertThat(bench.refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aSessionThatAProcessOfACallMakesStandsBelowTheSessionOfTheCall(String store) throws Exception {
        use(store);
        Belay belay = bench.stores.worker(
                calling(List.of(call("p", "start"))),
                builder -> builder.tools(starting(ProcessStart.turn("made", "Go.").agent("clerk")))
                        .policy(NO_REFUNDS)
                        .agent("clerk", clerk -> clerk
                                .model(calling(List.of(ApprovalBench.call("a", BIG.text()))))
                                .policy(Policy.NONE)
                                .tools(bench.provider())));
        belay.session("s").turn("Go.").run();
        assertThat(ended(belay)).isEqualTo(new ProcessEnd.Completed(
                Json.string("done: Rejected: denied by rule \"no-refunds\": not here")));
        assertThat(bench.refunds).isEmpty();
    }
}
