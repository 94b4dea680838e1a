package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.DefinitionChange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract J.6: {@code onDefinitionChanged = ASK} opens the same wait as a rule that asks. */
@ApprovalCase.Everywhere
class ChangedToolTest extends ApprovalCase {

    private static final String SMALL = "{\"amount\":1}";

    @BeforeEach
    void asksWhenItChanges() {
        bench.refund = bench.refund.effect(ToolEffect.IDEMPOTENT).onDefinitionChanged(DefinitionChange.ASK);
    }

    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();

    /** A worker whose body is cut, and then one with another form of the tool, which asks. */
    private InputHandle startedAndChanged() throws Exception {
        ApprovalBench.Body refunds = bench.body;
        var started = new CountDownLatch(1);
        bench.body = (arguments, context) -> {
            tokens.add(context.completionKey().token());
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        Belay first = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).drain(Duration.ZERO));
        bench.ask(first);
        decide(first, ApprovalAnswer.once());
        started.await();
        first.close();
        bench.body = refunds;
        bench.refund = bench.refund.version(2);
        Belay second = bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
        asked(second, 1);
        assertThat(only(second).request().shown())
                .contains("asked by: no rule: the tool has changed since this call was recorded");
        assertThat(only(second).request().allowed()).as("it may have done something with these arguments")
                .containsExactlyInAnyOrder(Choice.ONCE, Choice.ANSWER, Choice.DENY);
        assertThat(bench.refunds).isEmpty();
        return second.session("s").input("in-1").orElseThrow();
    }

    @Test
    void aStartedCallRunsWithTheNewFormOfItsToolIfAPersonAgrees() throws Exception {
        InputHandle input = startedAndChanged();
        decide(bench.stores.client(), ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 250");
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void aStartedCallDoesNotRunWithTheNewFormOfItsToolIfAPersonDenies() throws Exception {
        InputHandle input = startedAndChanged();
        decide(bench.stores.client(), ApprovalAnswer.deny("not with that one"));
        assertThat(input.awaitCommit().text())
                .isEqualTo("done: Rejected: a person has denied this call: not with that one");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void anAnswerThatWasAcceptedForAStartedCallCountsAlsoIfAPersonDeniesIt() throws Exception {
        InputHandle input = startedAndChanged();
        BelayClient client = bench.stores.client();
        assertThat(client.resolve(tokens.take(), Resolution.ok(Json.string("accepted"))))
                .isEqualTo(new Delivery.Accepted());
        decide(client, ApprovalAnswer.deny("not with that one"));
        assertThat(input.awaitCommit().text()).isEqualTo("done: accepted");
        assertThat(bench.refunds).isEmpty();
    }

    /** A worker that dies in a body that must not be repeated, and then one with another form of the tool, which waits. */
    private Belay startedOnceAndChanged() throws Exception {
        bench.refund = bench.refund.effect(ToolEffect.ONCE);
        ApprovalBench.Body refunds = bench.body;
        var started = new CountDownLatch(1);
        bench.body = (arguments, context) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        Belay first = bench.worker(once(call("a", SMALL)), builder -> builder.drain(Duration.ZERO));
        bench.submitBeside(first);
        started.await();
        first.close();
        bench.body = refunds;
        bench.refund = bench.refund.version(2);
        Belay second = bench.worker(once(call("a", SMALL)), builder -> builder);
        OperatorBench.until(() -> !second.pending(null, 9).items().isEmpty());
        assertThat(second.pending(null, 9).items()).singleElement()
                .extracting(PendingWait::kind)
                .isEqualTo(PendingWait.Kind.DOUBT);
        assertThat(second.doubts().open(0, 9)).singleElement()
                .satisfies(doubt -> assertThat(doubt.about().why()).contains("has changed since this call"));
        assertThat(bench.refunds).isEmpty();
        return second;
    }

    @Test
    void aStartedOnceCallIsHeldInDoubtAndEndsWithWhatAPersonSaysHappened() throws Exception {
        Belay belay = startedOnceAndChanged();
        belay.doubts().happened(belay.doubts().open(0, 9).getFirst().id(), Json.string("R-7"), "seen");
        assertThat(belay.session("s").input("in-1").orElseThrow().awaitCommit().text())
                .isEqualTo("done: R-7");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aStartedOnceCallThatDidNotHappenRunsWithTheNewFormIfAPersonAgrees() throws Exception {
        bench.refund = bench.refund.effect(ToolEffect.ONCE);
        dyingAt("effect round/1/call/0/attempt/1 COMPLETED"::equals);
        bench.refund = bench.refund.version(2);
        bench.refunds.clear(); // the dead process has refunded, and a person says that it has not
        Belay belay = bench.worker(once(call("a", SMALL)), builder -> builder);
        OperatorBench.until(() -> !belay.doubts().open(0, 9).isEmpty());
        belay.doubts().didNotHappen(belay.doubts().open(0, 9).getFirst().id(), "no trace");
        asked(belay, 1);
        assertThat(bench.refunds).isEmpty();
        assertThat(only(belay).request().shown())
                .contains("the tool has changed since this call was recorded");
        decide(belay, ApprovalAnswer.once());
        assertThat(belay.session("s").input("in-1").orElseThrow().awaitCommit().text())
                .isEqualTo("done: refunded 1");
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void aResumableBodyGoesOnBehindItsStepsIfAPersonAgrees() throws Exception {
        resumable(ApprovalAnswer.once(), "done: paid, yes");
    }

    @Test
    void aResumableBodyIsNotEnteredIfAPersonDenies() throws Exception {
        resumable(ApprovalAnswer.deny("stop"), "done: Rejected: a person has denied this call: stop");
    }

    private void resumable(ApprovalAnswer answer, String end) throws Exception {
        bench.refund = bench.refund.resumable(true);
        var tokens = new LinkedBlockingQueue<String>();
        var steps = new AtomicInteger();
        bench.body = (arguments, context) -> {
            Json paid = context.durable().run("pay", arguments, in -> {
                steps.incrementAndGet();
                return Json.string("paid");
            });
            var event = context.durable().externalEventKey("word");
            tokens.add(event.token());
            return paid.asString() + ", " + context.durable().awaitEvent(event).asString();
        };
        Belay first = bench.worker(once(call("a", SMALL)), builder -> builder);
        InputHandle input = bench.submit(first);
        String token = tokens.take();
        OperatorBench.until(() -> !first.pending(null, 9).items().isEmpty());
        first.close();
        tokens.clear(); // it may have been entered more than once
        bench.stores.client().resolve(token, Resolution.ok(Json.string("yes")));
        bench.refund = bench.refund.version(2);
        Belay second = bench.worker(once(call("a", SMALL)), builder -> builder);
        asked(second, 1);
        assertThat(tokens).as("it was not entered").isEmpty();
        decide(second, answer);
        assertThat(second.session("s").input(input.inputId()).orElseThrow().awaitCommit().text())
                .isEqualTo(end);
        assertThat(steps).hasValue(1);
        assertThat(second.audit(0, 9)).extracting(entry -> entry.note().verb()).hasSize(2).startsWith("ask");
    }

    /** Lets bodies hand out their keys and park. */
    private BlockingQueue<String> parking() {
        var tokens = new LinkedBlockingQueue<String>();
        bench.body = (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        };
        return tokens;
    }

    /** Runs a turn in a process that dies before a write. */
    private void dyingAt(Predicate<String> write) throws InterruptedException {
        var over = new CountDownLatch(1);
        Belay first = bench.serving(bench.stores.dying(once(call("a", SMALL)), (moment, name) -> {
            if (moment == Moment.BEFORE && write.test(name)) {
                over.countDown();
                throw new StackOverflowError("the process dies");
            }
        }, builder -> bench.tools(builder).parkAfter(Duration.ZERO).drain(Duration.ZERO)));
        try {
            bench.submitBeside(first);
            over.await();
            first.close();
        } catch (StackOverflowError died) {
            over.await(); // its thread was this one
        }
    }

    private Belay changed() {
        return changed(builder -> builder);
    }

    private Belay changed(UnaryOperator<BelayBuilder> settings) {
        bench.refund = bench.refund.version(2);
        return bench.worker(once(call("a", SMALL)), settings);
    }

    private static String ended(Belay belay) throws InterruptedException {
        return belay.session("s").input("in-1").orElseThrow().awaitCommit().text();
    }

    @Test
    void aParkedCallWaitsForAPersonAndThenForItsCompletion() throws Exception {
        BlockingQueue<String> tokens = parking();
        dyingAt(write -> write.startsWith("park "));
        Belay second = changed();
        asked(second, 1);
        decide(second, ApprovalAnswer.once());
        second.resolve(tokens.take(), Resolution.ok(Json.string("yes")));
        assertThat(ended(second)).isEqualTo("done: yes");
        assertThat(tokens).as("its body did not run again").isEmpty();
    }

    @Test
    void anAcceptedCompletionAsksNoPerson() throws Exception {
        BlockingQueue<String> tokens = parking();
        Belay first = bench.worker(once(call("a", SMALL)), builder -> builder);
        bench.submit(first);
        String token = tokens.take();
        first.close();
        bench.stores.client().resolve(token, Resolution.ok(Json.string("yes")));
        Belay second = changed();
        assertThat(ended(second)).isEqualTo("done: yes");
        assertThat(second.audit(0, 9)).isEqualTo(List.of());
    }

    private static final Policy NOTHING = Policy
            .rules(PolicyRule.deny("nothing").reason("no refunds today"));

    /** The end of the call under a policy that denies it now, and what the audit log has of that. */
    private void deniedAndNoted(Belay later) throws InterruptedException {
        assertThat(ended(later)).isEqualTo("done: Rejected: denied by rule \"nothing\": no refunds today");
        assertThat(later.audit(0, 99).stream().filter(entry -> entry.note().verb().equals("deny")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.note().details().get("rule"))
                        .contains(Json.string("nothing")));
    }

    @Test
    void aDenialOfAStartedCallWhoseToolHasChangedIsInTheAuditLog() throws Exception {
        var started = new CountDownLatch(1);
        bench.body = (arguments, context) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        Belay first = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).drain(Duration.ZERO));
        bench.ask(first);
        decide(first, ApprovalAnswer.once());
        started.await();
        first.close();
        deniedAndNoted(changed(builder -> builder.policy(NOTHING)));
    }

    @Test
    void aDenialOfAParkedCallWhoseToolHasChangedIsInTheAuditLog() throws Exception {
        parking();
        dyingAt(write -> write.startsWith("park "));
        deniedAndNoted(changed(builder -> builder.policy(NOTHING)));
    }

    @Test
    void aDenialOfAResumableBodyWhoseToolHasChangedIsInTheAuditLog() throws Exception {
        bench.refund = bench.refund.resumable(true);
        bench.body = (arguments, context) -> {
            Json paid = context.durable().run("pay", arguments, in -> Json.string("paid"));
            var event = context.durable().externalEventKey("word");
            tokens.add(event.token());
            return paid.asString() + context.durable().awaitEvent(event);
        };
        Belay first = bench.worker(once(call("a", SMALL)), builder -> builder);
        bench.submitBeside(first);
        String token = tokens.take();
        OperatorBench.until(() -> !first.pending(null, 9).items().isEmpty());
        first.close();
        bench.stores.client().resolve(token, Resolution.ok(Json.string("yes")));
        deniedAndNoted(changed(builder -> builder.policy(NOTHING)));
    }
}
