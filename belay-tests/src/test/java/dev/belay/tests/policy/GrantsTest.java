package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ANNA;
import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.BIG;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.session.InputHandle;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.option.Approval;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract I.9: approvals that hold for further calls, on both stores and in both loops. */
@ApprovalCase.Everywhere
class GrantsTest extends ApprovalCase {

    @Test
    void anApprovalForTheTurnEndsWithIt() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")),
                List.of(call("b", "{\"amount\":300}")));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forTurn());
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 300");
        InputHandle next = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        next.awaitCommit();
        assertThat(belay.session("s").grants().list()).singleElement().extracting(Grant::turn).isNull();
    }

    @Test
    void aGrantOfTheSessionHoldsUntilItIsRevokedAndNoForkHasIt() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        Grant grant = belay.session("s").grants().list().getFirst();
        assertThat(grant.tool()).isEqualTo("refund");
        assertThat(grant.rules()).isEqualTo(BIG.decision().rules());
        assertThat(grant.by()).isEqualTo("anna");
        assertThat(bench.run(belay).text()).isEqualTo("done: refunded 250");
        assertThat(belay.session("s").fork("f").grants().list()).isEmpty();
        assertThat(bench.stores.client().as(ANNA).session("s").grants().revoke(grant.id()))
                .isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").grants().revoke(grant.id())).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.audit(0, 99).getLast().note().verb()).isEqualTo("revoke");
        bench.ask(belay);
        assertThat(only(belay).request().call().turn()).isEqualTo(3);
    }

    @Test
    void aGrantDoesNotCountForAnotherFormOfTheRule() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        belay.close();
        Belay other = bench.worker(calling(List.of(call("a", "{\"amount\":250}"))),
                builder -> builder.policy(Policy.rules(BIG.reason("another reason"))));
        bench.ask(other);
    }

    @Test
    void anApprovalForTheSessionSettlesNoOtherWait() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}"), call("b", "{\"amount\":300}")));
        InputHandle input = bench.ask(belay, 2);
        String first = only(belay).keyId();
        decide(belay, ApprovalAnswer.forSession());
        OperatorBench.until(() -> bench.refunds.size() == 1);
        assertThat(belay.approvals().open(null, 9).items()).singleElement()
                .satisfies(open -> assertThat(open.keyId()).isNotEqualTo(first));
        decide(belay, ApprovalAnswer.deny("not this one"));
        assertThat(input.awaitCommit().text()).contains("not this one");
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void aGrantDoesNotCountForAnotherFormOfTheToolOrAnotherAgent() throws Exception {
        Belay belay = granted();
        belay.close();
        bench.refund = bench.refund.description("Refunds, otherwise.").version(2);
        Belay changed = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(changed);
        decide(changed, ApprovalAnswer.deny(""));
        input.awaitCommit();
        changed.close();
        bench.refund = bench.refund.description("Refunds.").version(1);
        Belay other = bench.worker(calling(List.of(call("a", "{\"amount\":250}"))), builder -> bench
                .tools(builder.policy(ASKING), "clerk", calling(List.of(call("a", "{\"amount\":250}"))),
                        ASKING));
        other.session("s").config().agent("clerk");
        bench.ask(other);
    }

    @Test
    void noImportHasAGrant() throws Exception {
        Belay belay = granted();
        var lines = new StringBuilder();
        belay.session("s").export(lines);
        assertThat(belay.importSession(new StringReader(lines.toString()), "copy").grants().list())
                .isEmpty();
    }

    @Test
    void aSessionThatIsMadeAgainHasNoGrant() throws Exception {
        Belay belay = granted();
        belay.session("s").delete();
        bench.ask(belay);
        assertThat(only(belay).request().call().turn()).isEqualTo(1);
        assertThat(belay.session("s").grants().list()).isEmpty();
    }

    @Test
    void aGrantDoesNotCountInAChild() throws Exception {
        bench.served = true;
        bench.delegatingTo("default");
        Belay belay = bench.worker(model(request -> {
            int rounds = SessionBench.roundsSinceUser(request);
            return rounds == 0
                    ? calls(List.of(call("a", "{\"amount\":250}")))
                    : rounds == 1 ? calls(List.of(SessionBench.call("d", "delegate"))) : text("done");
        }), builder -> builder.policy(ASKING).drain(Duration.ZERO)); // it is closed while the child asks
        bench.submitBeside(belay);
        asked(belay, 1);
        decide(belay, ApprovalAnswer.forSession());
        OperatorBench.until(() -> belay.approvals()
                .open(null, 9)
                .items()
                .stream()
                .anyMatch(open -> open.request().call().chain().size() == 2));
        assertThat(bench.refunds).hasSize(1);
        assertThat(belay.session("s").grants().list()).hasSize(1);
        assertThat(belay.session(only(belay).request().call().chain().getLast()).grants().list()).isEmpty();
    }

    /** A worker in whose session a grant was given. */
    private Belay granted() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        assertThat(belay.session("s").grants().list()).hasSize(1);
        return belay;
    }

    @Test
    void aToolThatAlwaysAsksOffersOnlyOnce() throws Exception {
        bench.refund = bench.refund.approval(Approval.ALWAYS);
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":1}")));
        InputHandle input = bench.ask(belay);
        assertThat(only(belay).request().allowed()).doesNotContain(Choice.TURN, Choice.SESSION);
        assertThat(decide(belay, ApprovalAnswer.forSession())).isInstanceOfSatisfying(
                VerbResult.NotPossible.class,
                no -> assertThat(no.reason())
                        .isEqualTo("this request allows [ONCE, EDIT, ANSWER, DENY], not SESSION"));
        decide(belay, ApprovalAnswer.once());
        input.awaitCommit();
        bench.ask(belay);
    }
}
