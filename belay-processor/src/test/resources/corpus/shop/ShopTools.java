package shop;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.*;
import java.util.*;
import org.jspecify.annotations.Nullable;

/** Everything a shop does. */
@Tools
sealed interface ShopTools {

    /**
     * Finds orders of a customer.
     *
     * @param customer e-mail or customer number
     * @param limit at most this many
     */
    @Tool(effect = ToolEffect.READ, timeout = "PT30S", attempts = 3, examples = "{\"customer\": \"a@b.c\"}")
    record FindOrders(@Length(min = 3, max = 80) @Pattern("@") String customer, @Range(min = 1, max = 50) OptionalInt limit)
            implements ShopTools, ToolInput<List<Order>> {}

    /** Takes every scalar. */
    record Scalars(boolean a, Boolean b, byte c, Byte d, short e, Short f, int g, Integer h, long i, Long j, float k,
            Float l, double m, Double n, @Range(min = 0, exclusiveMin = true) BigDecimal o, BigInteger p, String q, UUID r,
            URI s, Instant t, OffsetDateTime u, ZonedDateTime v, LocalDate w, LocalTime x, LocalDateTime y, Duration z,
            Period aa, ZoneId bb, Json any) implements ShopTools, ToolInput<Scalars> {}

    /** Takes what may be absent. */
    record Absent(Optional<@Length(max = 9) String> a, OptionalInt b, OptionalLong c, @Range(max = 1.5) OptionalDouble d,
            @Nullable String e, @Nullable Line f, Optional<List<@Nullable String>> g, @Nullable Json h,
            @Nullable @Range(min = 2) Long i, @Nullable Status j) implements ShopTools, ToolInput<Absent> {}

    /** Takes collections. */
    @Tool(exclusive = "basket:{name}:{status}")
    record Collections(String name, Status status, @Size(min = 1, max = 3) List<@Length(max = 5) String> a, Set<Status> b,
            Collection<@Range(min = 1) Integer> c, SequencedCollection<Line> d, SequencedSet<String> e,
            Map<String, @Size(max = 2) List<Line>> f, SequencedMap<String, @Nullable BigDecimal> g)
            implements ShopTools, ToolInput<Collections> {}

    /** A status, in this file. */
    enum Status {
        OPEN, PAID {
            @Override
            public String toString() {
                return "paid!";
            }
        }, SHIPPED
    }

    /** A group adds no tool. */
    sealed interface Deep extends ShopTools {

        /** Grows trees. */
        record Grow(Tree tree, Shape shape, List<Shape> more) implements Deep, ToolInput<Tree> {}

        /** Pairs things of equal names. */
        record Pair(Order mine, shop.other.Order theirs, Page<Order> page, Page<@Nullable String> names,
                Page<Page<@Length(max = 3) String>> pages) implements Deep, Query<Order> {}
    }

    /** A tree. @param label what it says */
    record Tree(@Description("its label") String label, List<Tree> children) {}

    /** A shape; <b>tagged</b> by {@code kind}. */
    @dev.belay.schema.Tag(property = "kind")
    sealed interface Shape {
        /**
         * A circle.
         * @param radius in {@link Order orders}
         */
        record Circle(double radius) implements Shape {}

        @dev.belay.schema.Tag("box")
        record Square(double side, @Nullable Shape inner) implements Shape {}

        sealed interface Round extends Shape {}

        record Ellipse(double a, double b) implements Round {}
    }

    /** Returns a page of what it asks for. */
    interface Query<T> extends ToolInput<Page<T>> {}

    /** Turns the shop on and off. */
    @Tool
    enum Turn implements ShopTools, ToolInput<Void> {
        ON, OFF
    }

    /** Searches in one of two ways. */
    @Tool(name = "search")
    sealed interface Search extends ShopTools, ToolInput<Page<Order>> {
        record ByName(String name) implements Search {}

        record ById(long id) implements Search {}
    }

    @Nested(prefix = "crm_")
    record Crm(CrmTools tools) implements ShopTools {}
}
