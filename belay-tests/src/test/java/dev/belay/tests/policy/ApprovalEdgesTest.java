package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.session.SessionBench;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract I.2 to I.5: where calls that ask come from, and what comes between the question and the body. */
@ApprovalCase.Everywhere
class ApprovalEdgesTest extends ApprovalCase {

    private static final String BIG = "{\"amount\":250}";

    @Test
    void anAnswerWhileTheToolIsPausedIsTakenAndTheCallRunsAfterThePause() throws Exception {
        Belay belay = bench.worker(once(call("a", BIG)), builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        belay.pause(Pause.Target.tool("refund"), "the bank is closed");
        assertThat(decide(belay, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        OperatorBench.until(() -> belay.approvals().open(null, 9).items().isEmpty());
        assertThat(bench.refunds).isEmpty();
        belay.unpause(Pause.Target.tool("refund"), "it is open");
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 250");
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void whereNoPersonCanBeAskedTheCallIsRefused() throws Exception {
        Belay belay = bench.worker(once(call("a", BIG)),
                builder -> builder.policy(ASKING).approvals(ApprovalMode.REFUSE));
        assertThat(bench.run(belay).text()).isEqualTo("done: Error (approval_denied): tool refund needs the"
                + " approval of a person (rule \"big\": over 100), and no person can be asked here");
        assertThat(bench.refunds).isEmpty();
        assertThat(belay.audit(0, 9)).extracting(entry -> entry.note().verb()).containsExactly("deny");
    }

    @Test
    void aCallIsDecidedAboutOnceAndThenAgainAfterItsApproval() throws Exception {
        var decided = new AtomicInteger();
        Policy counting = call -> {
            decided.incrementAndGet();
            return PolicyDecision.ask("all", "");
        };
        Belay first = bench.worker(once(call("a", BIG)), builder -> builder.policy(counting));
        InputHandle input = bench.ask(first);
        assertThat(decided).hasValue(1);
        decide(first, ApprovalAnswer.once());
        input.awaitCommit();
        assertThat(decided).as("a call that has started is not decided about again").hasValue(2);
    }

    @Test
    void theRequestOfAChildShowsTheSessionsAboveAndItsGrantIsItsOwn() throws Exception {
        bench.delegatingTo("clerk");
        Belay belay = bench.worker(once(SessionBench.call("d", "delegate")),
                builder -> builder.policy(ASKING)
                        .agent("clerk", clerk -> clerk.model(once(call("a", BIG)))
                                .policy(Policy.NONE)
                                .tools(bench.refunding())));
        InputHandle input = bench.submitBeside(belay);
        OpenApproval open = asked(belay, 1).getFirst();
        List<String> chain = open.request().call().chain();
        assertThat(chain).hasSize(2).startsWith("s");
        assertThat(open.request().call().agent()).isEqualTo("clerk");
        assertThat(open.request().shown()).contains("made by: s > " + chain.getLast() + "\n");
        decide(belay, ApprovalAnswer.forSession());
        assertThat(input.awaitCommit().text()).isEqualTo("done: done: refunded 250");
        assertThat(belay.session("s").grants().list()).isEmpty();
        assertThat(belay.session(chain.getLast()).grants().list()).hasSize(1);
    }

    @Test
    void askingIsAnEventOfTheStream() throws Exception {
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
        input.awaitCommit();
        OperatorBench.until(() -> events.size() == 3);
        assertThat(events.get(2)).isInstanceOf(CallEvent.Finished.class);
    }

    @Test
    void argumentsThatSayOneFieldTwiceReachNoPolicy() throws Exception {
        Belay belay = bench.worker(once(call("a", "{\"amount\":1,\"amount\":250}")),
                builder -> builder.policy(ASKING));
        assertThat(bench.run(belay).text()).contains("Error (malformed_arguments)");
        assertThat(bench.refunds).isEmpty();
    }
}
