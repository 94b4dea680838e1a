package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract I.3 to I.9 and V.4, V.6: a person's word whether a call may run, on both stores. */
class ApprovalsTest {

    private static final PolicyRule BIG = PolicyRule.ask("big")
            .tools("refund")
            .where("/amount", Match.above(100))
            .reason("over 100");
    private static final Policy ASKING = Policy.rules(BIG);
    private static final Actor ANNA = new Actor("anna", "web");

    @TempDir
    Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of(""));
    private final List<String> refunds = new CopyOnWriteArrayList<>();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private ToolDefinition refund = ToolDefinition.raw("refund", "Refunds.", Json.of("""
            {"type": "object", "properties": {"amount": {"type": "number"}, "to": {"type": "string"}},
             "required": ["amount"], "additionalProperties": false}"""), Json.of("{\"type\": \"string\"}"))
            .effect(ToolEffect.ONCE)
            .preview(in -> "refunds " + in.get("amount").orElseThrow());

    @AfterEach
    void close() {
        bench.close();
    }

    private StaticToolProvider tools() {
        return StaticToolProvider.builder().raw(refund, (arguments, context) -> {
            keys.add(context.idempotencyKey().value());
            refunds.add(arguments.text());
            return "refunded " + arguments.get("amount").orElseThrow();
        }).build();
    }

    private static CallPart call(String id, String arguments) {
        return new CallPart(id, "refund", arguments);
    }

    @SafeVarargs
    private final Belay worker(UnaryOperator<BelayBuilder> with, List<CallPart>... rounds) {
        return bench.worker(calling(rounds), builder -> with.apply(builder.tools(tools()).policy(ASKING)));
    }

    @SafeVarargs
    private final Belay worker(String where, List<CallPart>... rounds) {
        bench = new OperatorBench(where, folder);
        return worker(builder -> builder, rounds);
    }

    /** A model that makes one call, and says what came of it, whatever it is told besides. */
    private static Model once(CallPart call) {
        return model(request -> request.messages().stream().anyMatch(Message.ToolMessage.class::isInstance)
                ? text("done: " + SessionBench.lastReplies(request))
                : calls(List.of(call)));
    }

    private InputHandle ask(Belay belay) {
        return ask(belay, 1);
    }

    private static InputHandle ask(Belay belay, int requests) {
        InputHandle input = belay.session("s").turn("Go.").submit();
        OperatorBench.until(() -> belay.approvals().open(null, 99).items().size() == requests);
        return input;
    }

    private static OpenApproval only(BelayClient client) {
        return client.approvals().open(null, 9).items().getFirst();
    }

    private static VerbResult decide(BelayClient client, ApprovalAnswer answer) {
        OpenApproval open = only(client);
        return client.as(ANNA).approvals().decide(open.keyId(), open.request().digest(), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCallThatAsksParksBeforeItsBodyAndRunsOnceItIsApprovedByAClientWithoutTools(String where)
            throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        BelayClient client = bench.client();
        OpenApproval open = only(client);
        ApprovalRequest request = open.request();
        assertThat(refunds).isEmpty();
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
        assertThat(input.await().text()).isEqualTo("done: refunded 250");
        assertThat(refunds).containsExactly("{\"amount\":250}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void askAndDecisionAreRowsOfTheAuditLog(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        String target = "approval/" + only(belay).keyId();
        decide(belay, ApprovalAnswer.deny("ask the customer first"));
        input.await();
        assertThat(belay.audit(0, 9)).extracting(AuditEntry::note).satisfiesExactly(asked -> {
            assertThat(asked.by()).isEqualTo(Actor.POLICY);
            assertThat(asked.verb()).isEqualTo("ask");
            assertThat(asked.target()).isEqualTo(target);
        }, decided -> {
            assertThat(decided.by()).isEqualTo(ANNA);
            assertThat(decided.verb()).isEqualTo("deny");
            assertThat(decided.target()).isEqualTo(target);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aDeniedCallNeverRunsAndTheModelReadsTheWords(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        decide(belay, ApprovalAnswer.deny("ask the customer first"));
        assertThat(input.await().text())
                .isEqualTo("done: Rejected: a person has denied this call: ask the customer first");
        worker(builder -> builder);
        assertThat(refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anAnswerInThePlaceOfTheToolIsCheckedAndTheBodyDoesNotRun(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        assertThat(decide(belay, ApprovalAnswer.answer(Json.of("7")))).isInstanceOfSatisfying(
                VerbResult.NotPossible.class,
                no -> assertThat(no.reason()).contains("does not fit the output"));
        assertThat(decide(belay, ApprovalAnswer.answer(Json.string("by hand")))).isEqualTo(VerbResult.DONE);
        assertThat(input.await().text()).isEqualTo("done: by hand");
        assertThat(refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anEditReplacesAllArgumentsAndTheModelIsToldWhatWasChanged(String where) throws Exception {
        bench = new OperatorBench(where, folder);
        Belay belay = bench.worker(once(call("a", "{\"amount\":250,\"to\":\"ann\"}")),
                builder -> builder.tools(tools()).policy(ASKING));
        InputHandle input = ask(belay);
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":\"99\"}")))).isInstanceOfSatisfying(
                VerbResult.NotPossible.class, no -> assertThat(no.reason()).contains("/amount"));
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("7"))))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":99}")))).isEqualTo(VerbResult.DONE);
        assertThat(input.await().text()).contains("refunded 99");
        assertThat(refunds).containsExactly("{\"amount\":99}");
        assertThat(belay.session("s").messages().stream().filter(Message.UserMessage.class::isInstance))
                .anySatisfy(said -> assertThat(((Message.UserMessage) said).text())
                        .isEqualTo("Note (arguments_changed): a"
                                + " person has changed the arguments of refund (call a) from {\"amount\":250,\"to\":\"ann\"} to"
                                + " {\"amount\":99}; the reply to the call is about those"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anEditThatARuleDeniesIsDenied(String where) throws Exception {
        bench = new OperatorBench(where, folder);
        Policy policy = Policy.rules(BIG,
                PolicyRule.deny("none").tools("refund").where("/amount", Match.atMost(0)));
        Belay belay = bench.worker(once(call("a", "{\"amount\":250}")),
                builder -> builder.tools(tools()).policy(policy));
        InputHandle input = ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":-5}")));
        assertThat(input.await().text()).contains("Rejected: denied by rule \"none\"");
        assertThat(refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anotherDigestOrKeyIsRefusedAndLeavesTheCallParked(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        OpenApproval open = only(belay);
        String digest = open.request().digest();
        var random = new Random(17);
        int tries = where.equals("memory") ? 100_000 : 1_000;
        for (int i = 0; i < tries; i++) {
            boolean key = random.nextBoolean();
            String one = altered(key ? open.keyId() : digest, random);
            VerbResult said = belay.approvals()
                    .decide(key ? one : open.keyId(), key ? digest : one, ApprovalAnswer.once());
            assertThat(said).as("seed 17, try %d: %s", i, one).isInstanceOf(VerbResult.NotPossible.class);
        }
        assertThat(refunds).isEmpty();
        assertThat(only(belay)).isEqualTo(open);
        decide(belay, ApprovalAnswer.once());
        input.await();
        assertThat(refunds).hasSize(1);
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

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theFirstAnswerCountsAndTheSecondLearnsWhoGaveIt(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        OpenApproval open = only(belay);
        assertThat(decide(belay, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        input.await();
        BelayClient client = bench.client().as(new Actor("ben", "command"));
        assertThat(
                client.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.deny("no")))
                .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                        no -> assertThat(no.reason()).startsWith("it was approved once by anna (web) at "));
        assertThat(client.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()))
                .isEqualTo(VerbResult.ALREADY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void ofManyWhoAnswerAtOnceExactlyOneWins(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        OpenApproval open = only(belay);
        List<VerbResult> said = IntStream.range(0, 8)
                .parallel()
                .mapToObj(n -> belay.as(new Actor("p" + n, "web"))
                        .approvals()
                        .decide(open.keyId(), open.request().digest(),
                                ApprovalAnswer.answer(Json.string("p" + n))))
                .toList();
        String text = input.await().text();
        int winner = said.indexOf(VerbResult.DONE);
        assertThat(said.stream().filter(VerbResult.DONE::equals)).hasSize(1);
        assertThat(text).isEqualTo("done: p" + winner);
        assertThat(said.stream().filter(VerbResult.NotPossible.class::isInstance)).hasSize(7)
                .allSatisfy(
                        no -> assertThat(((VerbResult.NotPossible) no).reason()).contains("by p" + winner));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void identicalParallelCallsHaveOneDigestAndTwoWaitsAnsweredInAnyOrder(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}"), call("b", "{\"amount\":250}")));
        InputHandle input = ask(belay, 2);
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
        OperatorBench.until(() -> refunds.size() == 1);
        assertThat(belay.approvals().open(null, 9).items()).as("the other one is not settled")
                .containsExactly(first);
        belay.approvals()
                .decide(first.keyId(), first.request().digest(), ApprovalAnswer.deny("one is enough"));
        assertThat(input.await().text())
                .isEqualTo("done: Rejected: a person has denied this call: one is enough, refunded 250");
        assertThat(refunds).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anApprovalForTheTurnEndsWithIt(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")),
                List.of(call("b", "{\"amount\":300}")));
        InputHandle input = ask(belay);
        decide(belay, ApprovalAnswer.forTurn());
        assertThat(input.await().text()).isEqualTo("done: refunded 300");
        InputHandle next = ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        next.await();
        assertThat(belay.session("s").grants().list()).singleElement().extracting(Grant::turn).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aGrantOfTheSessionHoldsUntilItIsRevokedAndNoForkHasIt(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.await();
        Grant grant = belay.session("s").grants().list().getFirst();
        assertThat(grant.tool()).isEqualTo("refund");
        assertThat(grant.rule()).isEqualTo("big");
        assertThat(grant.by()).isEqualTo("anna");
        assertThat(belay.session("s").turn("Again.").run().text()).isEqualTo("done: refunded 250");
        assertThat(belay.session("s").fork("f").grants().list()).isEmpty();
        assertThat(bench.client().as(ANNA).session("s").grants().revoke(grant.id()))
                .isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").grants().revoke(grant.id())).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.audit(0, 99).getLast().note().verb()).isEqualTo("revoke");
        ask(belay);
        assertThat(only(belay).request().call().turn()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aGrantDoesNotCountForAnotherFormOfTheRule(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.await();
        belay.close();
        Belay other = bench.worker(calling(List.of(call("a", "{\"amount\":250}"))),
                builder -> builder.tools(tools())
                        .policy(Policy.rules(BIG.reason("another reason"))));
        ask(other);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aToolThatAlwaysAsksOffersOnlyOnce(String where) throws Exception {
        refund = refund.approval(Approval.ALWAYS);
        Belay belay = worker(where, List.of(call("a", "{\"amount\":1}")));
        InputHandle input = ask(belay);
        assertThat(only(belay).request().allowed()).doesNotContain(Choice.TURN, Choice.SESSION);
        assertThat(decide(belay, ApprovalAnswer.forSession())).isInstanceOfSatisfying(
                VerbResult.NotPossible.class,
                no -> assertThat(no.reason())
                        .isEqualTo("this request allows [ONCE, EDIT, ANSWER, DENY], not SESSION"));
        decide(belay, ApprovalAnswer.once());
        input.await();
        ask(belay);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aRequestExpires(String where) throws Exception {
        bench = new OperatorBench(where, folder);
        Belay belay = worker(builder -> builder.approvalsExpire(Duration.ofMillis(300)),
                List.of(call("a", "{\"amount\":250}")));
        assertThat(belay.session("s").turn("Go.").run().text()).startsWith("done: Error (approval_expired)");
        assertThat(refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anApprovalOnAnotherDayByAColdNodeRunsTheCallWithItsOwnKey(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        ask(belay);
        OpenApproval open = only(belay);
        belay.close();
        BelayClient client = bench.client();
        assertThat(client.approvals().find(open.keyId())).contains(open);
        assertThat(decide(client, ApprovalAnswer.once())).isEqualTo(VerbResult.DONE);
        Belay cold = worker(builder -> builder, List.of(call("a", "{\"amount\":250}")));
        OperatorBench.until(() -> cold.session("s").head().orElseThrow().revision() == 1);
        assertThat(refunds).hasSize(1);
        assertThat(keys).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aRuleThatDeniesMeanwhileWinsOverAnApproval(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        ask(belay);
        belay.close();
        decide(bench.client(), ApprovalAnswer.once());
        Belay strict = bench.worker(calling(List.of(call("a", "{\"amount\":250}"))),
                builder -> builder.tools(tools())
                        .policy(Policy.rules(BIG, PolicyRule.deny("stop").tools("refund"))));
        OperatorBench.until(() -> strict.session("s").head().orElseThrow().revision() == 1);
        assertThat(strict.session("s").calls(1).getFirst().outcome().orElseThrow().text())
                .isEqualTo("Rejected: denied by rule \"stop\"");
        assertThat(refunds).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anApprovalDoesNotHoldForAToolThatHasChangedOrIsGone(String where) throws Exception {
        for (boolean gone : Stream.of(true, false).toList()) {
            bench = new OperatorBench(where, folder.resolve(Boolean.toString(gone)));
            folder.resolve(Boolean.toString(gone)).toFile().mkdirs();
            Belay belay = worker(builder -> builder, List.of(call("a", "{\"amount\":250}")));
            ask(belay);
            belay.close();
            decide(bench.client(), ApprovalAnswer.once());
            ToolDefinition before = refund;
            refund = refund.version(2);
            StaticToolProvider now = gone ? StaticToolProvider.builder().build() : tools();
            Belay after = bench.worker(calling(List.of(call("a", "{\"amount\":250}"))),
                    builder -> builder.tools(now));
            OperatorBench.until(() -> after.session("s").head().orElseThrow().revision() == 1);
            assertThat(after.session("s").calls(1).getFirst().outcome().orElseThrow().code())
                    .contains(gone ? "unknown_tool" : "definition_changed");
            assertThat(refunds).isEmpty();
            refund = before;
            bench.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCancelledTurnIsNotAnsweredAnyMore(String where) throws Exception {
        Belay belay = worker(where, List.of(call("a", "{\"amount\":250}")));
        InputHandle input = ask(belay);
        OpenApproval open = only(belay);
        belay.session("s").cancel("enough");
        input.await();
        assertThat(belay.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(refunds).isEmpty();
    }
}
