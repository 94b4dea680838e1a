package dev.belay.examples.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Attacks on the limit of the example. */
class SpendingLimitTest {

    private static final String EIGHTY = "{\"euros\":80}";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /** A tool that may stand before payments in a message. */
    public static final class Look {

        @Tool(effect = ToolEffect.READ)
        @Description("Looks at an order.")
        public String look() {
            return "order 42";
        }
    }

    /** A till that pays and then does not know that it did. */
    public static final class BrokenTill {

        private int paid;

        @Tool(scheduling = dev.belay.tool.option.Scheduling.SERIAL)
        @Description("Pays a sum to the customer.")
        public String pay(@Description("How much.") int euros) {
            paid += euros;
            throw new ToolException(
                    ToolFailure.of(ToolFailure.Kind.IO, "no_answer", "the till does not answer")
                            .thatMayHaveHappened());
        }
    }

    private Belay open(ScriptStep step) {
        return builder(step).build();
    }

    private BelayBuilder builder(ScriptStep step) {
        return Belay.builder()
                .model(new ScriptedModel().then(step).reply("Done."))
                .toolMethods(new Main.Till(new PrintStream(printed, true, StandardCharsets.UTF_8)))
                .toolMethods(new Look())
                .plugin(new SpendingLimit(100));
    }

    private List<String> paid() {
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceAll("\\D", ""))
                .toList();
    }

    @Test
    void paymentsOfOneMessagePayTheLimitAndNoMore() throws Exception {
        try (Belay belay = open(
                ScriptStep.call("pay", EIGHTY).andCall("pay", EIGHTY).andCall("pay", EIGHTY))) {
            belay.session("s").turn("Pay.").run();
        }
        assertThat(paid()).containsExactly("80", "20");
    }

    @Test
    void paymentsBehindOtherCallsOfTheirMessagePayTheLimitAndNoMore() throws Exception {
        try (Belay belay = open(ScriptStep.call("look", "{}")
                .andCall("look", "{}")
                .andCall("pay", EIGHTY)
                .andCall("pay", EIGHTY)
                .andCall("pay", EIGHTY))) {
            belay.session("s").turn("Pay.").run();
        }
        assertThat(paid()).containsExactly("80", "20");
    }

    @Test
    void paymentsThatAPersonApprovesPayTheLimitAndNoMore() throws Exception {
        try (Belay belay = builder(
                ScriptStep.call("pay", EIGHTY).andCall("pay", EIGHTY).andCall("pay", EIGHTY))
                .policy(Policy.rules(PolicyRule.ask("payments").tools("pay")))
                .build()) {
            InputHandle input = belay.session("s").turn("Pay.").submit();
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (input.result().isEmpty()) {
                belay.approvals()
                        .open(null, 9)
                        .items()
                        .forEach(open -> belay.approvals()
                                .decide(open.keyId(), open.request().digest(), ApprovalAnswer.once()));
                assertThat(System.nanoTime()).as("waits for the turn").isLessThan(end);
                LockSupport.parkNanos(200_000);
            }
        }
        assertThat(paid()).containsExactly("80", "20");
    }

    @Test
    void aNegativePaymentGivesNothingBack() throws Exception {
        try (Belay belay = open(
                ScriptStep.call("pay", "{\"euros\":-100}").andCall("pay", "{\"euros\":200}"))) {
            belay.session("s").turn("Pay.").run();
        }
        assertThat(paid()).containsExactly("100");
    }

    @Test
    void aPaymentThatMayHaveHappenedCounts() throws Exception {
        var till = new BrokenTill();
        try (Belay belay = Belay.builder()
                .model(new ScriptedModel()
                        .then(ScriptStep.call("pay", EIGHTY)
                                .andCall("pay", EIGHTY)
                                .andCall("pay", "{\"euros\":70}"))
                        .reply("Done."))
                .toolMethods(till)
                .plugin(new SpendingLimit(100))
                .build()) {
            belay.session("s").turn("Pay.").run();
        }
        assertThat(till.paid).isLessThanOrEqualTo(100).isPositive();
    }
}
