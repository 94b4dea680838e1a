package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract I.1, I.2 and I.8: every call is decided about, wherever it comes from. */
class GateTest {

    private static final Policy NO_PAYING = Policy
            .rules(PolicyRule.deny("no-paying")
                    .tools("pay")
                    .where("/to", Match.equalTo("eve"))
                    .reason("not to eve"));
    private static final String EVE = "{\"to\":\"eve\"}";

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger paid = new AtomicInteger();

    @AfterEach
    void close() {
        bench.close();
    }

    private StaticToolProvider tools() {
        return StaticToolProvider.builder().raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
            paid.incrementAndGet();
            return "paid";
        }).build();
    }

    private Belay open(Model model, Policy policy) {
        return bench.open(model, builder -> builder.tools(tools()).policy(policy));
    }

    private static CallPart pay(String id, String arguments) {
        return new CallPart(id, "pay", arguments);
    }

    @Test
    void aDeniedCallDoesNotRunAndTheModelIsToldByWhichRule() throws Exception {
        Belay belay = open(calling(List.of(pay("a", EVE), pay("b", "{\"to\":\"ann\"}"))), NO_PAYING);
        assertThat(belay.session("s").turn("Go.").run().text())
                .isEqualTo("done: Rejected: denied by rule \"no-paying\": not to eve, paid");
        assertThat(paid).hasValue(1);
    }

    @Test
    void aDenialIsARowOfTheAuditLogInTheWriteOfItsRecord() throws Exception {
        Belay belay = open(calling(List.of(pay("a", EVE))), NO_PAYING);
        belay.session("s").turn("Go.").run();
        assertThat(belay.audit(0, 9)).singleElement().extracting(AuditEntry::note).satisfies(note -> {
            assertThat(note.by()).isEqualTo(Actor.POLICY);
            assertThat(note.verb()).isEqualTo("deny");
            assertThat(note.target()).isEqualTo("turn 1 of session s, call a");
            assertThat(note.details().get("rule")).contains(Json.string("no-paying"));
        });
        assertThat(bench.writes().stream().filter(write -> write.startsWith("effect round/1/call")))
                .hasSize(1);
    }

    @Test
    void anAllowStaysInTheRecordOfTheCallAndWritesNothingMore() throws Exception {
        Belay belay = open(calling(List.of(pay("a", "{}"))),
                Policy.rules(PolicyRule.allow("pays").tools("pay")));
        belay.session("s").turn("Go.").run();
        assertThat(belay.audit(0, 9)).isEmpty();
        assertThat(bench.writes()
                .stream()
                .filter(write -> !write.startsWith("take") && !write.startsWith("accept")))
                .containsExactly("effect round/1 COMPLETED", "effect round/1/call/0/attempt/1 STARTED",
                        "effect round/1/call/0/attempt/1 COMPLETED", "effect round/2 COMPLETED",
                        "commit s 1");
    }

    @Test
    void aPolicyThatThrowsDenies() throws Exception {
        Belay belay = open(calling(List.of(pay("a", "{}"))), call -> {
            throw new IllegalStateException("broken");
        });
        assertThat(belay.session("s").turn("Go.").run().text()).isEqualTo(
                "done: Rejected: denied by rule \"policy-failed\": the check whether this call is allowed has failed");
        assertThat(paid).hasValue(0);
    }

    @Test
    void callsOfTheProgramAndOfProcessesAreDecidedAbout() throws Exception {
        Belay belay = open(calling(), NO_PAYING);
        assertThat(belay.calls().run("b", List.of(new CallRequest("pay", EVE))))
                .containsExactly(new ToolOutcome.Rejected("denied by rule \"no-paying\": not to eve"));
        assertThat(belay.processes().start(ProcessStart.tool("pay", Json.of(EVE)).id("p")).await())
                .isInstanceOfSatisfying(ProcessEnd.Failed.class,
                        failed -> assertThat(failed.failure().message()).contains("no-paying"));
        assertThat(paid).hasValue(0);
    }

    private static StaticToolProvider delegating(String agent) {
        return StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.ONCE),
                        (arguments, context) -> ((SessionToolContext) context).sessions()
                                .create("child", agent)
                                .turn("go", "Go.")
                                .await()
                                .text())
                .build();
    }

    @Test
    void aChildIsDecidedAboutByTheStrictestOfItsOwnPolicyAndThoseAbove() throws Exception {
        Belay belay = bench.open(calling(List.of(call("d", "delegate"))), builder -> builder
                .tools(delegating("clerk"))
                .policy(NO_PAYING)
                .agent("clerk", clerk -> clerk
                        .model(calling(List.of(pay("a", EVE), pay("b", "{\"to\":\"bob\"}"))))
                        .tools(tools())
                        .policy(Policy.rules(
                                PolicyRule.deny("no-bob").tools("pay").where("/to", Match.equalTo("bob"))))));
        assertThat(belay.session("s").turn("Go.").run().text())
                .isEqualTo("done: done: Rejected: denied by rule"
                        + " \"no-paying\": not to eve, Rejected: denied by rule \"no-bob\"");
        assertThat(paid).hasValue(0);
    }

    @Test
    void aRuleCountsTheCallsOfItsTurnInTheModelsOrder() throws Exception {
        Policy policy = Policy.rules(PolicyRule.deny("three").tools("pay").afterCalls(3));
        Belay belay = open(calling(List.of(pay("a", "{\"n\":1}"), pay("b", "{\"n\":2}")),
                List.of(pay("c", "{\"n\":3}"), pay("d", "{\"n\":4}"))), policy);
        assertThat(belay.session("s").turn("Go.").run().text())
                .isEqualTo("done: paid, Rejected: denied by rule \"three\"");
        assertThat(belay.session("s").turn("Go.").run().text()).as("each turn counts anew")
                .contains("paid, Rejected");
        assertThat(paid).hasValue(6);
    }

    @Test
    void theFourthCallLikeThreeThatFailedIsNotRun() throws Exception {
        var ran = new AtomicInteger();
        var tools = StaticToolProvider.builder().raw(tool("try", ToolEffect.READ), (arguments, context) -> {
            ran.incrementAndGet();
            throw new IllegalStateException("does not work");
        }).build();
        List<String> forms = List.of("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", "{\"a\":1.0, \"b\":2}",
                "{\"a\":1,\"b\":2}",
                "{\"a\":1,\"b\":3}");
        Belay belay = bench.open(model(request -> {
            int round = SessionBench.roundsSinceUser(request);
            return round < forms.size()
                    ? calls(List.of(new CallPart("c" + round, "try", forms.get(round))))
                    : text(replies(request.messages().toString()));
        }), builder -> builder.tools(tools));
        String told = belay.session("s").turn("Go.").run().text();
        assertThat(told).isEqualTo("tool_threw tool_threw tool_threw repeat_guard tool_threw");
        assertThat(ran).as("other arguments are another call").hasValue(4);
        belay.session("s").turn("Again.").run();
        assertThat(ran).as("each turn counts anew").hasValue(8);
    }

    private static String replies(String messages) {
        return Pattern.compile("Error \\((\\w+)\\)")
                .matcher(messages.substring(messages.lastIndexOf("UserMessage")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.joining(" "));
    }

    @Test
    void aCallThatWasDeniedThreeTimesMeetsTheGuardToo() throws Exception {
        List<CallPart> once = List.of(pay("a", EVE));
        Belay belay = open(calling(once, once, once, once), NO_PAYING);
        assertThat(belay.session("s").turn("Go.").run().text()).startsWith("done: Error (repeat_guard)");
        assertThat(belay.audit(0, 9)).hasSize(3);
    }

    @Test
    void aTurnWhoseCallsWorkIsNotGuarded() throws Exception {
        List<CallPart> once = List.of(pay("a", "{}"));
        Belay belay = open(calling(once, once, once, once, once), Policy.NONE);
        assertThat(belay.session("s").turn("Go.").run().text()).isEqualTo("done: paid");
        assertThat(paid).hasValue(5);
    }

    @Test
    void anUnknownGrantIsNothingToRevoke() {
        Belay belay = open(calling(), Policy.NONE);
        assertThat(belay.session("s").grants().list()).isEmpty();
        assertThat(belay.session("s").grants().revoke("x")).isInstanceOf(VerbResult.NotPossible.class);
    }

    @Test
    void anAgentWithoutAPolicyHasThatOfTheBuilder() throws Exception {
        Belay belay = bench.open(calling(), (BelayBuilder builder) -> builder.policy(NO_PAYING)
                .agent("clerk", clerk -> clerk.model(calling(List.of(pay("a", EVE)))).tools(tools())));
        assertThat(belay.agent("clerk").session("s").turn("Go.").run().text()).contains("no-paying");
    }
}
