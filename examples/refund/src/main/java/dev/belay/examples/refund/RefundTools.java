package dev.belay.examples.refund;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import java.util.Map;

/** The one tool of this example. */
final class RefundTools {

    private final Bank.Client bank;

    RefundTools(Bank.Client bank) {
        this.bank = bank;
    }

    // region tool
    /**
     * Refunds an order after a person approved it.
     *
     * @param order the order's number
     * @param cents how much
     */
    @Tool(effect = ToolEffect.IDEMPOTENT, resumable = true, exclusive = "order:{order}")
    record Refund(long order, int cents) implements ToolInput<String> {}

    /** Entered again from its first line after every crash and every wait; what a step returned is answered, not repeated. */
    private String refund(Refund refund, ToolContext context) {
        DurableEffects durable = context.durable();
        CompletionKey approval = durable.externalEventKey("approval");
        Json request = Json
                .object(Map.of("order", Json.number(refund.order()), "cents", Json.number(refund.cents())));

        durable.run("ask", request, ask -> bank.ask(ask, approval.token()));
        Json answer = durable.awaitEvent(approval); // no thread and no memory until the webhook is called
        if (!answer.get("approved").orElse(Json.FALSE).asBoolean()) {
            throw new ToolException("the refund was not approved");
        }
        Json receipt = durable.run("pay", request, pay -> bank.pay(pay, durable.stepKey("pay").value()));
        return "refunded, receipt " + receipt.asString();
    }
    // endregion

    // region provider
    ToolProvider provider() {
        return StaticToolProvider.builder().tool(Refund.class, this::refund).build();
    }
    // endregion
}
