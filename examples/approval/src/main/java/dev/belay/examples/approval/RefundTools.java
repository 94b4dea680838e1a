package dev.belay.examples.approval;

import dev.belay.json.Json;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The tool of the clerk and the rule about it. The bank is a directory: a payment is a file named after its idempotency key. */
final class RefundTools {

    private final Path bank;
    private final boolean answers;

    /**
     * Tools of a bank.
     *
     * @param answers whether the bank answers after it has paid
     */
    RefundTools(Path bank, boolean answers) {
        this.bank = bank;
        this.answers = answers;
    }

    // region policy
    static Policy policy() {
        return Policy.rules(PolicyRule.ask("over-100")
                .tools("refund")
                .where("/cents", Match.above(10_000))
                .reason("refunds over 100.00 need a person")
                .matching(PolicyCall.of("refund", Json.of("{\"order\": 1, \"cents\": 10001}")))
                .notMatching(PolicyCall.of("refund", Json.of("{\"order\": 1, \"cents\": 10000}"))));
    }
    // endregion

    // region tool
    /**
     * Refunds an order.
     *
     * @param order the order's number
     * @param cents how much
     */
    @Tool(effect = ToolEffect.IDEMPOTENT)
    record Refund(long order, int cents) implements ToolInput<String> {}

    ToolProvider provider() {
        ToolDefinition refund = ToolDefinition.of(Refund.class)
                .preview(in -> "refunds " + BigDecimal.valueOf(in.get("cents").orElseThrow().asLong(), 2)
                        + " to the card of order " + in.get("order").orElseThrow());
        return StaticToolProvider.builder().tool(refund, Refund.class, this::refund).build();
    }
    // endregion

    private String refund(Refund refund, ToolContext context) throws IOException, InterruptedException {
        String receipt = "R-1 of " + refund.cents() + " cents for order " + refund.order();
        Files.writeString(bank.resolve("requests"), context.idempotencyKey() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        Files.writeString(bank.resolve("payments").resolve(context.idempotencyKey().value()), receipt);
        if (!answers) {
            System.out.println("paid");
            Thread.sleep(Long.MAX_VALUE);
        }
        return receipt;
    }
}
