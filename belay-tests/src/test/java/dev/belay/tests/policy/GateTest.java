package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract I.1, I.2 and V.6: what decisions write, and calls of the program; {@link GatedLoopsTest} has decisions on both stores and in both loops. */
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
    void callsOfTheProgramAndOfProcessesAreDecidedAbout() throws Exception {
        Belay belay = open(calling(), NO_PAYING);
        assertThat(belay.calls().run("b", List.of(new CallRequest("pay", EVE))).outcomes())
                .containsExactly(new ToolOutcome.Rejected("denied by rule \"no-paying\": not to eve"));
        assertThat(belay.processes().start(ProcessStart.tool("pay", Json.of(EVE)).id("p")).awaitEnd())
                .isInstanceOfSatisfying(ProcessEnd.Failed.class,
                        failed -> assertThat(failed.failure().message()).contains("no-paying"));
        assertThat(paid).hasValue(0);
    }

    @Test
    void anUnknownGrantIsNothingToRevoke() {
        Belay belay = open(calling(), Policy.NONE);
        assertThat(belay.session("s").grants().list()).isEmpty();
        assertThat(belay.session("s").grants().revoke("x")).isInstanceOf(VerbResult.NotPossible.class);
    }
}
