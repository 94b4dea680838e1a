package dev.belay.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.testkit.ScriptedPerson;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.option.Approval;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One line crashes a lambda, a record and a method, and its report says what happened twice. */
final class CrashReportTest {

    private static final String DOUBT = "in doubt: a person or the service says whether it happened";

    private final AtomicInteger charges = new AtomicInteger();

    @Tool(undescribed = true, approval = Approval.ALWAYS)
    record Refund(long order) implements ToolInput<String> {}

    /** Tools by annotation. */
    static final class Desk {

        @Tool(undescribed = true, effect = ToolEffect.READ)
        public String lookUp(long order) {
            return "order " + order;
        }
    }

    @Test
    void aLambdaThatMayRunOnceNeverHappensTwice() throws Exception {
        CrashReport report = CrashKit.of("charge", () -> charges.incrementAndGet()).seed(7).verify();

        assertThat(report.twice()).isEmpty();
        assertThat(report.deaths()).extracting(CrashReport.Death::moment)
                .containsExactly(CrashReport.Moment.BEFORE, CrashReport.Moment.IN, CrashReport.Moment.AFTER);
        assertThat(report.deaths()).extracting(CrashReport.Death::runs).containsExactly(1, 1, 1);
        assertThat(report.deaths()).extracting(death -> death.ends().keySet().toString())
                .containsExactly("[\"done\"]", "[" + DOUBT + "]", "[\"done\"]");
        assertThat(report.deaths().stream().mapToInt(CrashReport.Death::crashes).sum())
                .isEqualTo(report.crashes());
        assertThat(report).hasToString("""
                Killed before, inside and after each of 4 records: 12 crashes, and 20 at random from seed 7
                  charge before the body   5 crashes: ran once, then "done"
                  charge in the body       3 crashes: ran once, then %s
                  charge after the body    4 crashes: ran once, then "done"
                Happened twice: nothing""".formatted(DOUBT));
    }

    @Test
    void aLambdaThatMayBeRepeatedHappensTwice() throws Exception {
        CrashReport report = CrashKit.of("charge", ToolEffect.IDEMPOTENT, charges::incrementAndGet).verify();

        assertThat(report.twice()).containsExactly("charge");
        assertThat(report.deaths()).extracting(CrashReport.Death::runs).containsExactly(1, 2, 1);
        assertThat(report.toString()).contains("charge in the body")
                .contains("ran up to 2 times, then \"done\"")
                .endsWith(
                        "Happened twice: charge, under the same idempotency key: what it calls must know the key,"
                                + " or do no harm twice");
    }

    @Test
    void aRecordThatAsksIsCrashedInOneLine() throws Exception {
        CrashReport report = CrashKit.of(new Refund(42), (in, context) -> "paid " + in.order())
                .person(new ScriptedPerson().approve("refund"))
                .verify();
        assertThat(report.twice()).isEmpty();
        assertThat(report.toString()).contains("refund before the body")
                .contains("\"paid 42\"")
                .contains(DOUBT);
    }

    @Test
    void aMarkedMethodIsCrashedInOneLine() throws Exception {
        CrashReport report = CrashKit.of(new Desk(), "look_up", "{\"order\":42}").verify();
        assertThat(report.twice()).containsExactly("look_up");
        assertThatThrownBy(() -> CrashKit.of(new Desk(), "look_down", "{}"))
                .hasMessageContaining("there is no tool look_down to crash, but [look_up]");
    }

    @Test
    void codeThatThrowsIsTold() {
        assertThatThrownBy(() -> CrashKit.of("charge", () -> {
            throw new IllegalStateException("no till");
        }).verify()).hasMessageContaining("a call throws without a crash");
    }
}
