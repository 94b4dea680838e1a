package shop;

import dev.belay.schema.Length;
import dev.belay.tool.FromHost;
import dev.belay.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tools as methods. */
class ShopService {

    private final List<String> seen = new ArrayList<>();

    /** Who asks. */
    record Tenant(String name) {}

    /**
     * Refunds an order.
     *
     * @param tenant nobody sees this
     * @param orderId the number of the order
     */
    @Tool
    Order refund(@FromHost Tenant tenant, long orderId, @Nullable @Length(max = 20) String reason, List<Line> lines)
            throws java.io.IOException {
        seen.add(tenant.name());
        return new Order(orderId, lines, reason, java.util.Optional.empty(), Order.Colour.GREEN);
    }

    /** Forgets everything. */
    @Tool
    void forget() {
        seen.clear();
    }

    /** Adds up. */
    @Tool(name = "add_up")
    protected static int sum(int left, Integer right) {
        return left + right;
    }

    /** Says who was there. */
    @Tool
    public @Nullable Map<String, @Nullable List<@Length(max = 30) String>> seen() {
        return seen.isEmpty() ? null : Map.of("seen", seen);
    }
}
