package dev.belay.examples.firsttool;

import dev.belay.schema.Range;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import java.util.List;
import java.util.OptionalInt;

// region tools
/** What a model may do in the shop. Each record is one tool, its components are the arguments. */
@Tools
public sealed interface ShopTools {

    /**
     * Finds the orders of a customer, the newest first.
     *
     * @param customer e-mail address of the customer
     * @param limit at most this many; all of them if left out
     */
    @Tool(effect = ToolEffect.READ)
    record FindOrders(String customer, @Range(min = 1, max = 50) OptionalInt limit)
            implements
                ShopTools,
                ToolInput<List<String>> {}

    /**
     * Cancels one order.
     *
     * @param order the number of the order
     * @param reason why, in words for the customer
     */
    record CancelOrder(long order, String reason) implements ShopTools, ToolInput<String> {}
}
// endregion
