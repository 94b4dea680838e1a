package dev.belay.examples.typedloop;

import dev.belay.schema.Range;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import java.util.List;
import java.util.OptionalInt;

// region tools
/** What a model may do at the help desk. */
@Tools
public sealed interface DeskTools {

    /** An order, as the model reads it. */
    record Order(long number, String item, long cents) {}

    /** The proof of a payment. */
    record Receipt(String number) {}

    /**
     * Finds the orders of a customer.
     *
     * @param customer e-mail address of the customer
     * @param limit at most this many
     */
    @Tool(effect = ToolEffect.READ)
    record FindOrders(String customer, @Range(min = 1, max = 50) OptionalInt limit)
            implements
                DeskTools,
                ToolInput<List<Order>> {}

    /**
     * Pays money back. It is off until your code offers it.
     *
     * @param order number of the order
     * @param cents how much
     */
    @Tool(defaultOn = false)
    record Refund(long order, @Range(min = 1) long cents) implements DeskTools, ToolInput<Receipt> {}

    /** Another set in this place: the model says {@code crm_get_customer}. */
    @Nested(prefix = "crm_")
    record Crm(CrmTools tools) implements DeskTools {}

    /** A place for tools that are known only at run time. */
    @Nested
    record Extra(Dynamic call) implements DeskTools {}
}
// endregion
