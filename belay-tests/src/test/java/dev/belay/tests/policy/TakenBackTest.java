package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ANNA;
import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.policy.ApprovalBench.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Store;
import dev.belay.tool.ToolEffect;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An approval can be taken back until the call begins. */
@ApprovalCase.Everywhere
class TakenBackTest extends ApprovalCase {

    private static final String DENIED = "done: Rejected: a person has denied this call: the approval was taken back";

    private Belay worker() {
        return bench.worker(once(call("a", "{\"amount\":250}")), builder -> builder.policy(ASKING));
    }

    private static String end(BelayClient belay) throws InterruptedException {
        return belay.session("s").input("in-1").orElseThrow().awaitCommit().text();
    }

    /** The key id of a call that is approved while no process runs. */
    private String approvedWhileDown(ApprovalAnswer answer) {
        Belay belay = worker();
        bench.ask(belay);
        String keyId = only(belay).keyId();
        belay.close();
        assertThat(decide(bench.stores.client(), answer)).isEqualTo(VerbResult.DONE);
        return keyId;
    }

    @Test
    void aCallDoesNotRunWhoseApprovalWasTakenBack() throws Exception {
        String keyId = approvedWhileDown(ApprovalAnswer.once());
        BelayClient client = bench.stores.client();
        assertThat(client.as(ANNA).approvals().takeBack(keyId, "the wrong customer"))
                .isEqualTo(VerbResult.DONE);
        assertThat(client.approvals().takeBack(keyId, "")).isEqualTo(VerbResult.ALREADY);
        try (Store store = bench.stores.store()) {
            assertThat(store.inconsistencies(9)).isEmpty();
        }
        Belay belay = worker();
        assertThat(end(belay)).isEqualTo(DENIED + ": the wrong customer");
        assertThat(bench.refunds).isEmpty();
        assertThat(client.approvals().decide(keyId, "any", ApprovalAnswer.once()))
                .as("not approved, as it was before")
                .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                        no -> assertThat(no.reason()).startsWith("it was taken back by anna (web) at "));
        assertThat(belay.audit(0, 9)).extracting(AuditEntry::note)
                .filteredOn(note -> note.verb().equals("take-back"))
                .singleElement()
                .satisfies(note -> {
                    assertThat(note.by()).isEqualTo(ANNA);
                    assertThat(note.target()).isEqualTo("approval/" + keyId);
                    assertThat(note.details().get("tool")).contains(Json.string("refund"));
                    assertThat(note.details().get("words")).contains(Json.string("the wrong customer"));
                    assertThat(note.details().get("digest")).isPresent();
                });
    }

    @Test
    void argumentsThatAPersonHasSentAreTakenBackToo() throws Exception {
        String keyId = approvedWhileDown(ApprovalAnswer.edit(Json.of("{\"amount\":300}")));
        assertThat(bench.stores.client().approvals().takeBack(keyId, "")).isEqualTo(VerbResult.DONE);
        assertThat(end(worker())).isEqualTo(DENIED);
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void whatWasApprovedForTheSessionWithItIsRevoked() throws Exception {
        String keyId = approvedWhileDown(ApprovalAnswer.forSession());
        BelayClient client = bench.stores.client();
        assertThat(client.session("s").grants().list()).hasSize(1);
        assertThat(client.approvals().takeBack(keyId, "")).isEqualTo(VerbResult.DONE);
        assertThat(client.session("s").grants().list()).isEmpty();
        assertThat(end(worker())).isEqualTo(DENIED);
    }

    /** Takes the approval back while a process has read it and is about to begin. */
    private void takenBackBeforeTheStart() throws Exception {
        var keyId = new AtomicReference<String>();
        var looks = new AtomicInteger();
        bench.refund = bench.refund.preview(in -> {
            if (looks.incrementAndGet() == 2) { // once more before the start, after the answer was read
                assertThat(bench.stores.client().approvals().takeBack(keyId.get(), ""))
                        .isEqualTo(VerbResult.DONE);
            }
            return "refunds";
        });
        Belay belay = worker();
        InputHandle input = bench.ask(belay);
        keyId.set(only(belay).keyId());
        decide(belay, ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).isEqualTo(DENIED);
        assertThat(looks).hasValue(2);
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aProcessThatHasReadTheApprovalDoesNotBegin() throws Exception {
        takenBackBeforeTheStart();
    }

    @Test
    void aProcessThatHasReadTheApprovalDoesNotBeginToRead() throws Exception {
        bench.refund = bench.refund.effect(ToolEffect.READ);
        takenBackBeforeTheStart();
    }

    @Test
    void aProcessThatHasReadTheApprovalDoesNotBeginStepsOrWithAResource() throws Exception {
        bench.refund = bench.refund.effect(ToolEffect.IDEMPOTENT).resumable(!bench.ownLoop);
        if (bench.ownLoop) {
            bench.refund = bench.refund.exclusive("till");
        }
        takenBackBeforeTheStart();
    }

    private void begunIsNotTakenBack() throws Exception {
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        bench.body = (arguments, context) -> {
            begun.countDown();
            go.await();
            return "refunded";
        };
        Belay belay = worker();
        InputHandle input = bench.submitBeside(belay);
        asked(belay, 1);
        String keyId = only(belay).keyId();
        decide(belay, ApprovalAnswer.once());
        begun.await();
        assertThat(reason(belay.approvals().takeBack(keyId, "")))
                .isEqualTo("its call has begun, or asks again");
        go.countDown();
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded");
        assertThat(reason(belay.approvals().takeBack(keyId, ""))).contains("its call has ended");
    }

    @Test
    void aCallThatHasBegunIsNotTakenBack() throws Exception {
        begunIsNotTakenBack();
    }

    @Test
    void aReadingCallThatHasBegunIsNotTakenBack() throws Exception {
        bench.refund = bench.refund.effect(ToolEffect.READ);
        begunIsNotTakenBack();
    }

    @Test
    void whatWasNotApprovedIsNotTakenBack() throws Exception {
        Belay belay = worker();
        bench.ask(belay);
        String keyId = only(belay).keyId();
        assertThat(reason(belay.approvals().takeBack(keyId, ""))).contains("it was not answered yet");
        assertThat(reason(belay.approvals().takeBack("nothing", "")))
                .contains("under the key id \"nothing\"");
        belay.close();
        BelayClient client = bench.stores.client();
        decide(client, ApprovalAnswer.deny("no"));
        assertThat(reason(client.approvals().takeBack(keyId, ""))).contains("it was denied: no by anna");
        assertThat(end(worker())).isEqualTo("done: Rejected: a person has denied this call: no");
    }
}
