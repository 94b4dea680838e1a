package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Turns whose calls ask are killed at every write, and the person answers by script. */
final class PluginPersonTest {

    private static PluginHarness paying() {
        return PluginHarness.of(QuietRun::plugin, new QuietRun.OneCall())
                .with(builder -> builder.tools(QuietRun.asking()))
                .input("Pay.");
    }

    @Test
    void aTurnThatAsksIsKilledBeforeAndAfterTheAnswer() throws Exception {
        var person = new ScriptedPerson().deny("pay", "no");
        assertThat(paying().person(person).verify()).isGreaterThan(20);
        assertThat(person.asked()).extracting(request -> request.call().tool()).contains("pay");
    }

    @Test
    void aPersonWhoNeverAnswersLeavesNothingThatFinishes() {
        assertThatThrownBy(() -> paying().person(new ScriptedPerson().never()).verify())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no turn finishes without a crash");
        assertThatThrownBy(() -> paying().verify()).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no turn finishes without a crash")
                .hasMessageContaining("person(…)");
    }

    @Test
    void aPersonWhoIsNeverAskedIsTold() {
        assertThatThrownBy(() -> paying().person(new ScriptedPerson().approve("pay", "look")).verify())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("never asked for [approve(\"look\")], only about [pay]");
    }

    @Test
    void twoPersonsAndOneWhoTakesTimeAreRefused() {
        PluginHarness one = paying().person(new ScriptedPerson());
        assertThatThrownBy(() -> one.person(new ScriptedPerson()))
                .hasMessageContaining("has a person already");
        PluginHarness none = paying();
        assertThatThrownBy(() -> none.person(new ScriptedPerson().after(Duration.ofDays(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes PT24H");
    }
}
