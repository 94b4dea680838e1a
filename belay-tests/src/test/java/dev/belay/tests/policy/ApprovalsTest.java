package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ANNA;
import static dev.belay.tests.policy.ApprovalBench.ASKING;
import static dev.belay.tests.policy.ApprovalBench.BIG;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.policy.ApprovalBench.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract I.3, I.4, I.7 and V.4, V.6: a person answers whether a call may run, on both stores and in both loops. */
@ApprovalCase.Everywhere
class ApprovalsTest extends ApprovalCase {

    @Test
    void aCallThatAsksParksBeforeItsBodyAndRunsOnceItIsApprovedByAClientWithoutTools()
            throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        BelayClient client = bench.stores.client();
        OpenApproval open = only(client);
        ApprovalRequest request = open.request();
        assertThat(bench.refunds).isEmpty();
        assertThat(request.call().arguments()).isEqualTo(Json.of("{\"amount\":250}"));
        assertThat(request.by().rule()).isEqualTo("big");
        assertThat(request.preview()).isEqualTo("refunds 250");
        assertThat(request.shown()).contains("/amount = 250").contains("asked by: rule \"big\": over 100");
        assertThat(Duration.between(open.since(), open.expires())).isBetween(
                Duration.ofDays(7).minusMinutes(1),
                Duration.ofDays(7).plusMinutes(1));
        assertThat(client.pending(null, 9).items()).singleElement().satisfies(wait -> {
            assertThat(wait.kind()).isEqualTo(PendingWait.Kind.APPROVAL);
            assertThat(wait.keyId()).isEqualTo(open.keyId());
            assertThat(wait.tool()).isEqualTo("refund");
            assertThat(wait.arguments()).isEqualTo(request.call().arguments());
        });
        assertThatThrownBy(() -> client.reissue(open.keyId())).hasMessageContaining("approvals()");
        OperatorBench.until(() -> {
            WaitsFor waits = client.sessions(null, 9).items().getFirst().waits();
            return waits != null && waits.what() == WaitsFor.For.APPROVAL;
        });
        assertThat(decide(client, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 250");
        assertThat(bench.refunds).containsExactly("{\"amount\":250}");
    }

    @Test
    void theWaitForAPersonIsNoTimeOfTheCall() throws Exception {
        var time = new FakeTime();
        var deadlines = new CopyOnWriteArrayList<Instant>();
        bench.refund = bench.refund.timeouts(new Timeouts(Duration.ofMinutes(1), null));
        bench.body = (arguments, context) -> {
            deadlines.add(context.deadline().orElseThrow());
            return "refunded in time";
        };
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(ASKING).time(time));
        InputHandle input = bench.ask(belay);
        time.advance(Duration.ofHours(1));
        decide(belay, ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded in time");
        assertThat(deadlines).containsExactly(FakeTime.START.plus(Duration.ofMinutes(61)));
    }

    @Test
    void askAndDecisionAreRowsOfTheAuditLog() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        String target = "approval/" + only(belay).keyId();
        Json digest = Json.string(only(belay).request().digest());
        decide(belay, ApprovalAnswer.deny("ask the customer first"));
        input.awaitCommit();
        assertThat(belay.audit(0, 9)).extracting(AuditEntry::note).satisfiesExactly(asked -> {
            assertThat(asked.by()).isEqualTo(Actor.POLICY);
            assertThat(asked.verb()).isEqualTo("ask");
            assertThat(asked.target()).isEqualTo(target);
            assertThat(asked.details().get("digest")).contains(digest);
            assertThat(asked.details().get("rule")).contains(Json.string("big"));
        }, decided -> {
            assertThat(decided.by()).isEqualTo(ANNA);
            assertThat(decided.verb()).isEqualTo("deny");
            assertThat(decided.target()).isEqualTo(target);
            assertThat(decided.details().get("digest")).contains(digest);
        });
    }

    @Test
    void aDeniedCallNeverRunsAndTheModelReadsTheWords() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.deny("ask the customer first"));
        assertThat(input.awaitCommit().text())
                .isEqualTo("done: Rejected: a person has denied this call: ask the customer first");
        bench.worker();
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void anAnswerInThePlaceOfTheToolIsCheckedAndTheBodyDoesNotRun() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        assertThat(decide(belay, ApprovalAnswer.answer(Json.of("7")))).isInstanceOfSatisfying(
                VerbResult.NotPossible.class,
                no -> assertThat(no.reason()).contains("does not fit the output"));
        assertThat(decide(belay, ApprovalAnswer.answer(Json.string("by hand")))).isEqualTo(VerbResult.DONE);
        assertThat(input.awaitCommit().text()).isEqualTo("done: by hand");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void anEditReplacesAllArgumentsAndTheModelIsToldWhatWasChanged() throws Exception {
        Belay belay = bench.worker(once(call("a", "{\"amount\":250,\"to\":\"ann\"}")),
                builder -> builder.policy(ASKING));
        InputHandle input = bench.ask(belay);
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":\"99\"}")))).isInstanceOfSatisfying(
                VerbResult.NotPossible.class, no -> assertThat(no.reason()).contains("/amount"));
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("7"))))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")))).isEqualTo(VerbResult.DONE);
        assertThat(input.awaitCommit().text()).contains("refunded 99");
        assertThat(bench.refunds).containsExactly("{\"amount\":99}");
        assertThat(belay.session("s").messages().stream().filter(Message.UserMessage.class::isInstance))
                .anySatisfy(said -> assertThat(((Message.UserMessage) said).text())
                        .isEqualTo("Note (arguments_changed): a"
                                + " person has changed the arguments of refund (call a) from {\"amount\":250,\"to\":\"ann\"} to"
                                + " {\"amount\":99}; the reply to the call is about those"));
    }

    @Test
    void anEditThatARuleDeniesIsDenied() throws Exception {
        Policy policy = Policy.rules(BIG,
                PolicyRule.deny("none").tools("refund").where("/amount", Match.atMost(0)));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.policy(policy));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":-5}")));
        assertThat(input.awaitCommit().text()).contains("Rejected: denied by rule \"none\"");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void anotherDigestOrKeyIsRefusedAndLeavesTheCallParked() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        String digest = open.request().digest();
        var random = new Random(17);
        for (int i = 0; i < tries(); i++) {
            boolean key = random.nextBoolean();
            String one = altered(key ? open.keyId() : digest, random);
            VerbResult said = belay.approvals()
                    .decide(key ? one : open.keyId(), key ? digest : one, ApprovalAnswer.once());
            if (!(said instanceof VerbResult.NotPossible)) {
                throw new AssertionError("seed 17, try " + i + ": " + one + " was " + said);
            }
        }
        assertThat(bench.refunds).isEmpty();
        assertThat(only(belay)).isEqualTo(open);
        decide(belay, ApprovalAnswer.once());
        input.awaitCommit();
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void theDigestOfAnotherOpenRequestIsRefused() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}"), call("b", "{\"amount\":300}")));
        bench.ask(belay, 2);
        List<OpenApproval> open = belay.approvals().open(null, 9).items();
        assertThat(reason(belay.approvals()
                .decide(open.get(0).keyId(), open.get(1).request().digest(), ApprovalAnswer.once())))
                .contains("is not that of this request");
        assertThat(belay.approvals().open(null, 9).items()).isEqualTo(open);
    }

    /** Each try on a file reads it several times; the door is the same. */
    private int tries() {
        return where.startsWith("memory") || Boolean.getBoolean("belay.long") ? 100_000 : 20_000;
    }

    private static String altered(String text, Random random) {
        int at = random.nextInt(text.length());
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at);
            case 1 ->
                text.substring(0, at) + "0123456789abcdef".charAt(random.nextInt(16)) + text.substring(at);
            case 2 -> "";
            default -> text.substring(0, at) + (text.charAt(at) == 'x' ? 'y' : 'x') + text.substring(at + 1);
        };
    }

    @Test
    void theFirstAnswerCountsAndTheSecondLearnsWhoGaveIt() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        assertThat(decide(belay, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        input.awaitCommit();
        BelayClient client = bench.stores.client().as(new Actor("ben", "command"));
        assertThat(
                client.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.deny("no")))
                .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                        no -> assertThat(no.reason()).startsWith("it was approved once by anna (web) at "));
        assertThat(client.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()))
                .isEqualTo(VerbResult.ALREADY);
    }

    @Test
    void aWrongDigestIsRefusedAlsoOnceTheRequestIsAnswered() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        assertThat(decide(belay, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        input.awaitCommit();
        assertThat(
                bench.stores.client().as(ANNA).approvals().decide(open.keyId(), "12", ApprovalAnswer.once()))
                .isInstanceOfSatisfying(VerbResult.NotPossible.class, no -> assertThat(no.reason())
                        .startsWith(
                                "the digest \"12\" is not that of this request; it was approved once by "));
    }

    @Test
    void ofManyWhoAnswerAtOnceExactlyOneWins() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay);
        OpenApproval open = only(belay);
        List<VerbResult> said = IntStream.range(0, 8)
                .parallel()
                .mapToObj(n -> belay.as(new Actor("p" + n, "web"))
                        .approvals()
                        .decide(open.keyId(), open.request().digest(),
                                ApprovalAnswer.answer(Json.string("p" + n))))
                .toList();
        String text = input.awaitCommit().text();
        int winner = said.indexOf(VerbResult.DONE);
        assertThat(said.stream().filter(VerbResult.DONE::equals)).hasSize(1);
        assertThat(text).isEqualTo("done: p" + winner);
        assertThat(said.stream().filter(VerbResult.NotPossible.class::isInstance)).hasSize(7)
                .allSatisfy(
                        no -> assertThat(((VerbResult.NotPossible) no).reason()).contains("by p" + winner));
    }

    @Test
    void identicalParallelCallsHaveOneDigestAndTwoWaitsAnsweredInAnyOrder() throws Exception {
        Belay belay = bench.worker(List.of(call("a", "{\"amount\":250}"), call("b", "{\"amount\":250}")));
        InputHandle input = bench.ask(belay, 2);
        List<OpenApproval> open = belay.approvals().open(null, 9).items();
        assertThat(open.get(0).request().digest()).isEqualTo(open.get(1).request().digest());
        OpenApproval second = open.stream()
                .filter(one -> one.request().call().id().equals("b"))
                .findFirst()
                .orElseThrow();
        OpenApproval first = open.stream()
                .filter(one -> one.request().call().id().equals("a"))
                .findFirst()
                .orElseThrow();
        belay.approvals().decide(second.keyId(), second.request().digest(), ApprovalAnswer.once());
        OperatorBench.until(() -> bench.refunds.size() == 1);
        assertThat(belay.approvals().open(null, 9).items()).as("the other one is not settled")
                .containsExactly(first);
        belay.approvals()
                .decide(first.keyId(), first.request().digest(), ApprovalAnswer.deny("one is enough"));
        assertThat(input.awaitCommit().text())
                .isEqualTo("done: Rejected: a person has denied this call: one is enough, refunded 250");
        assertThat(bench.refunds).hasSize(1);
    }
}
