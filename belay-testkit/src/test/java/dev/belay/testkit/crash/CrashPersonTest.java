package dev.belay.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.testkit.ScriptedPerson;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.option.Approval;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tools that ask a person are crashed, and the person answers by script. */
final class CrashPersonTest {

    private final List<Json> paid = new CopyOnWriteArrayList<>();

    private CrashKit shop() {
        Json any = Json.of("{\"type\":\"object\"}");
        return CrashKit.inMemory()
                .tools(StaticToolProvider.builder()
                        .raw(ToolDefinition.raw("pay", "Pays.", any).approval(Approval.ALWAYS),
                                (in, context) -> {
                                    paid.add(in);
                                    return "paid";
                                })
                        .raw(ToolDefinition.raw("look", "Looks.", any), (in, context) -> "seen")
                        .build());
    }

    @Test
    void anApprovedCallIsCrashedBeforeItAsksAndAfterItWasAnswered() throws Exception {
        CrashReport report = shop().person(new ScriptedPerson().approve("pay")).call("pay", "{}").verify();

        assertThat(report.crashes()).isEqualTo(3 * report.records());
        assertThat(report.records()).isGreaterThanOrEqualTo(6); // asking, parking and the answer are records too
        assertThat(paid).isNotEmpty();
    }

    @Test
    void anApprovalThatTakesDaysCounts() throws Exception {
        shop().person(new ScriptedPerson().approve("pay").after(Duration.ofDays(6)))
                .call("pay", "{}")
                .verify();
        assertThat(paid).isNotEmpty();
    }

    @Test
    void anEditedCallRunsWithThePersonsArguments() throws Exception {
        shop().person(new ScriptedPerson().edit("pay", "{\"amount\":7}")).call("pay", "{}").verify();
        assertThat(paid).isNotEmpty().containsOnly(Json.of("{\"amount\":7}"));
    }

    @Test
    void aCallThatThePersonDoesNotLetRunNeverRuns() throws Exception {
        shop().person(new ScriptedPerson().deny("pay", "too much")).call("pay", "{}").verify();
        shop().person(new ScriptedPerson().answer("pay", "\"paid by hand\"")).call("pay", "{}").verify();
        shop().person(new ScriptedPerson().never("pay")).call("pay", "{}").verify();
        assertThat(paid).isEmpty();
    }

    @Test
    void aPolicyAsksThePersonToo() throws Exception {
        CrashReport report = shop().policy(Policy.rules(PolicyRule.ask("all").tools("look")))
                .person(new ScriptedPerson().approve())
                .call("look", "{}")
                .call("pay", "{}")
                .verify();
        assertThat(report.interleavings()).isEqualTo(20);
    }

    @Test
    void anApprovalThatComesTooLateLeavesNothingToCrash() {
        CrashKit late = shop().person(new ScriptedPerson().approve("pay").after(Duration.ofDays(8)))
                .call("pay", "{}");
        assertThatThrownBy(late::verify).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the body of pay never ran without a crash")
                .hasMessageContaining("no person has answered");
    }

    @Test
    void aPersonWhoIsNeverAskedIsTold() {
        CrashKit kit = shop().person(new ScriptedPerson().approve("pay").approve("look")).call("pay", "{}");
        assertThatThrownBy(kit::verify).isInstanceOf(AssertionError.class)
                .hasMessageContaining("never asked for [approve(\"look\")], only about [pay]");
    }

    @Test
    void aPersonWithoutAnAnswerIsTold() {
        CrashKit kit = shop().person(new ScriptedPerson().approve("look"))
                .call("look", "{}")
                .call("pay", "{}");
        assertThatThrownBy(kit::verify).isInstanceOf(AssertionError.class)
                .hasMessageContaining("tool pay asks a person")
                .hasMessageContaining("speaks of [look] only");
    }

    @Test
    void aScriptForAToolThatThereIsNotIsRefused() {
        assertThatThrownBy(() -> shop().person(new ScriptedPerson().approve("pray")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[pray], and there is no tool of that name, but [pay, look]");
    }

    @Test
    void twoPersonsAreRefused() {
        CrashKit kit = shop().person(new ScriptedPerson());
        assertThatThrownBy(() -> kit.person(new ScriptedPerson())).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has a person already");
    }
}
