package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.policy.ApprovalBench.reason;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.policy.ApprovalBench.Everywhere;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.Scheduling;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract I.2 to I.5: where calls that ask come from, and what comes between the question and the body. */
class ApprovalEdgesTest {

    private static final String BIG = "{\"amount\":250}";

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

    /** Rounds amounts up to tens before a call runs. */
    private record Rounding(ToolProvider tools) implements ToolProvider {

        @Override
        public List<ToolDefinition> definitions() {
            return tools.definitions();
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            long amount = call.arguments().get("amount").orElseThrow().asLong();
            return call.replace(Json.of("{\"amount\":" + (amount + 9) / 10 * 10 + "}"));
        }

        @Override
        public @Nullable Object execute(PreparedCall call) throws Exception {
            return tools.execute(call);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anEditThatIsPreparedIntoSomethingElseAsksAgainWithItsOwnDigest(String store) throws Exception {
        use(store);
        var tools = new Rounding(bench.provider());
        Belay belay = bench.stores.worker(once(call("a", BIG)),
                builder -> builder.tools(tools).policy(ASKING));
        InputHandle input = bench.ask(belay);
        ApprovalRequest first = only(belay).request();
        String firstKey = only(belay).keyId();
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":55}")));
        OperatorBench.until(() -> belay.approvals()
                .open(null, 9)
                .items()
                .stream()
                .anyMatch(open -> !open.keyId().equals(firstKey)));
        OpenApproval second = only(belay);
        assertThat(second.request().shown()).contains("/amount = 60").contains("not what was sent");
        assertThat(second.request().digest()).isNotEqualTo(first.digest());
        assertThat(reason(belay.approvals().decide(second.keyId(), first.digest(), ApprovalAnswer.once())))
                .contains("is not that of this request");
        assertThat(bench.refunds).isEmpty();
        decide(belay, ApprovalAnswer.once());
        assertThat(input.await().text()).contains("refunded 60");
        assertThat(bench.refunds).containsExactly("{\"amount\":60}");
        assertThat(bench.keys).hasSize(1);
        assertThat(belay.session("s").calls(1).getFirst().asked()).isEqualTo(new AskedArguments(
                Json.of("{\"amount\":250}"), Json.of("{\"amount\":60}"), Json.of("{\"amount\":60}")));
    }

    @Everywhere
    void anAnswerWhileTheToolIsPausedIsTakenAndTheCallRunsAfterThePause(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(once(call("a", BIG)), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        belay.pause(Pause.Target.tool("refund"), "the bank is closed");
        assertThat(decide(belay, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        OperatorBench.until(() -> belay.approvals().open(null, 9).items().isEmpty());
        assertThat(bench.refunds).isEmpty();
        belay.unpause(Pause.Target.tool("refund"), "it is open");
        assertThat(input.await().text()).isEqualTo("done: refunded 250");
        assertThat(bench.refunds).hasSize(1);
    }

    @Everywhere
    void whereNoPersonCanBeAskedTheCallIsRefused(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(once(call("a", BIG)),
                builder -> builder.policy(ASKING).approvals(ApprovalMode.REFUSE));
        assertThat(bench.run(belay).text()).isEqualTo("done: Error (approval_denied): tool refund needs the"
                + " approval of a person (rule \"big\": over 100), and no person can be asked here");
        assertThat(bench.refunds).isEmpty();
        assertThat(belay.audit(0, 9)).extracting(entry -> entry.note().verb()).containsExactly("deny");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void serialCallsAreAskedWhenTheyAreReached(String store) throws Exception {
        use(store);
        bench.refund = bench.refund.scheduling(Scheduling.SERIAL);
        Belay belay = bench.worker(List.of(call("a", BIG), call("b", BIG)));
        InputHandle input = bench.ask(belay);
        assertThat(only(belay).request().call().id()).isEqualTo("a");
        decide(belay, ApprovalAnswer.once());
        OperatorBench.until(() -> belay.approvals()
                .open(null, 9)
                .items()
                .stream()
                .anyMatch(open -> open.request().call().id().equals("b")));
        assertThat(bench.refunds).hasSize(1);
        decide(belay, ApprovalAnswer.once());
        input.await();
        assertThat(bench.refunds).hasSize(2);
    }

    @Everywhere
    void aCallIsDecidedAboutOnceAndThenAgainAfterItsApproval(String where) throws Exception {
        use(where);
        var decided = new AtomicInteger();
        Policy counting = call -> {
            decided.incrementAndGet();
            return PolicyDecision.ask("all", "");
        };
        Belay first = bench.worker(once(call("a", BIG)), builder -> builder.policy(counting));
        InputHandle input = bench.ask(first);
        assertThat(decided).hasValue(1);
        decide(first, ApprovalAnswer.once());
        input.await();
        assertThat(decided).as("a call that has started is not decided about again").hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void callsOfTheProgramAskAndOfferNothingForASession(String store) throws Exception {
        use(store);
        Belay belay = bench.worker(calling(), builder -> builder.policy(ASKING));
        var outcomes = CompletableFuture.supplyAsync(() -> {
            try {
                return belay.calls().run("batch", List.of(new CallRequest("refund", BIG)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        assertThat(only(belay).request().allowed()).doesNotContain(Choice.TURN, Choice.SESSION);
        assertThat(decide(bench.stores.client(), ApprovalAnswer.edit(Json.of("{\"amount\":7}"))))
                .isEqualTo(VerbResult.DONE);
        assertThat(outcomes.get(30, TimeUnit.SECONDS)).extracting(ToolOutcome::text)
                .containsExactly("refunded 7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aProcessAsks(String store) throws Exception {
        use(store);
        Belay belay = bench.worker(calling(), builder -> builder.policy(ASKING));
        var process = belay.processes().start(ProcessStart.tool("refund", Json.of(BIG)).id("p"));
        OperatorBench.until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        assertThat(bench.refunds).isEmpty();
        decide(belay, ApprovalAnswer.once());
        assertThat(process.await()).isEqualTo(new ProcessEnd.Completed(Json.string("refunded 250")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theRequestOfAChildShowsTheSessionsAboveAndItsGrantIsItsOwn(String store) throws Exception {
        use(store);
        var delegating = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.ONCE),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("child", "clerk")
                                .turn("go", "Go.")
                                .await()
                                .text())
                .build();
        Belay belay = bench.stores.worker(calling(List.of(SessionBench.call("d", "delegate"))),
                builder -> builder.tools(delegating)
                        .policy(ASKING)
                        .agent("clerk", clerk -> clerk.model(once(call("a", BIG)))
                                .policy(Policy.NONE)
                                .tools(bench.provider())));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        List<String> chain = open.request().call().chain();
        assertThat(chain).hasSize(2).startsWith("s");
        assertThat(open.request().call().agent()).isEqualTo("clerk");
        assertThat(open.request().shown()).contains("made by: s > " + chain.getLast() + "\n");
        decide(belay, ApprovalAnswer.forSession());
        assertThat(input.await().text()).isEqualTo("done: done: refunded 250");
        assertThat(belay.session("s").grants().list()).isEmpty();
        assertThat(belay.session(chain.getLast()).grants().list()).hasSize(1);
    }

    @Everywhere
    void askingIsAnEventOfTheStream(String where) throws Exception {
        use(where);
        List<CallEvent> events = new CopyOnWriteArrayList<>();
        Belay belay = bench.worker(once(call("a", BIG)),
                builder -> builder.policy(ASKING).listener((session, event) -> {
                    if (event instanceof TurnEvent.Call told) {
                        events.add(told.event());
                    }
                }));
        InputHandle input = bench.ask(belay);
        OperatorBench.until(() -> events.size() == 2);
        assertThat(events.get(1)).isInstanceOfSatisfying(CallEvent.Parked.class,
                parked -> assertThat(parked.announcement())
                        .isEqualTo("a person is asked whether refund may run"));
        decide(belay, ApprovalAnswer.once());
        input.await();
        OperatorBench.until(() -> events.size() == 3);
        assertThat(events.get(2)).isInstanceOf(CallEvent.Finished.class);
    }

    @Everywhere
    void argumentsThatSayOneFieldTwiceReachNoPolicy(String where) throws Exception {
        use(where);
        Belay belay = bench.worker(once(call("a", "{\"amount\":1,\"amount\":250}")),
                builder -> builder.policy(ASKING));
        assertThat(bench.run(belay).text()).contains("Error (malformed_arguments)");
        assertThat(bench.refunds).isEmpty();
    }
}
