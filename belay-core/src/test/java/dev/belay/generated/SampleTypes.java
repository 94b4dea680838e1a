package dev.belay.generated;

import dev.belay.json.Json;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.Tag;
import dev.belay.schema.TypeRef;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Types that together use everything a shape can be. */
final class SampleTypes {

    private SampleTypes() {}

    record Whole(byte b, Short s, int i, Long l, BigInteger big, boolean yes) {}

    record Decimals(float f, Double d, BigDecimal exact) {}

    record Texts(String text, UUID uuid, URI uri, Color color) {}

    enum Color {
        RED, DARK_BLUE, green
    }

    record Times(Instant instant, OffsetDateTime offset, ZonedDateTime zoned, LocalDate date, LocalTime time,
            LocalDateTime local, Duration duration, Period period, ZoneId zone) {}

    record Bounded(@Range(min = 1, max = 50) int i, @Range(min = -1.5, max = 50) double d,
            @Range(min = 0, exclusiveMin = true) float f,
            @Range(max = 50, exclusiveMax = true) BigDecimal exact, @Range(min = -3) BigInteger big,
            @Length(min = 2, max = 4) String text, @Pattern("^[a-c]+$") String letters,
            @Size(min = 1, max = 3) List<@Range(max = 9) Integer> items,
            @Size(max = 2) Map<String, @Length(max = 3) String> entries, @Size(min = 1) Set<Short> set) {}

    record Absent(Optional<String> text, OptionalInt i, OptionalLong l, OptionalDouble d,
            @Nullable Integer boxed, @Nullable Color color, Optional<List<String>> list,
            List<Optional<Integer>> holes, Map<String, @Nullable BigDecimal> gaps,
            Optional<@Range(min = 1, max = 3) Integer> few, Optional<Tree> tree, @Nullable Json any) {}

    record Tree(String name, List<Tree> children) {}

    @Tag(property = "kind")
    sealed interface Figure {}

    record Circle(double radius) implements Figure {}

    sealed interface Polygon extends Figure {}

    @Tag("sq")
    record Square(@Range(min = 0) int side) implements Polygon {}

    record Path(List<Figure> parts, @Nullable String type) implements Polygon {}

    sealed interface Expr {}

    record Num(BigDecimal value) implements Expr {}

    record Add(Expr left, Expr right) implements Expr {}

    record Neg(Expr inner, @Nullable Neg twice) implements Expr {}

    record Sets(Set<String> words, Set<BigDecimal> numbers, Set<List<Integer>> lists, Set<Figure> figures,
            Set<Optional<Color>> colors, Set<Json> any, Set<Double> doubles) {}

    record Box<T extends @Nullable Object>(T content, List<T> more) {}

    record Boxes(Box<String> words, Box<@Length(max = 2) String> shortWords, Box<@Nullable String> gaps,
            Box<Box<Integer>> nested, Map<String, Box<Color>> named) {}

    record Loose(Json any, Map<String, Json> entries, Collection<Json> items) {}

    record Item(int a) {}

    static final class Other {
        private Other() {}

        record Item(String a) {}
    }

    record Names(Item first, Item second, Other.Item third, Other.Item fourth) {}

    record Nothing() {}

    /** Every type that laws are tried on. */
    static Map<String, Type> all() {
        return Map.ofEntries(Map.entry("Whole", Whole.class), Map.entry("Decimals", Decimals.class),
                Map.entry("Texts", Texts.class), Map.entry("Times", Times.class),
                Map.entry("Bounded", Bounded.class), Map.entry("Absent", Absent.class),
                Map.entry("Tree", Tree.class), Map.entry("Figure", Figure.class),
                Map.entry("Expr", Expr.class), Map.entry("Sets", Sets.class),
                Map.entry("Boxes", Boxes.class), Map.entry("Loose", Loose.class),
                Map.entry("Names", Names.class), Map.entry("Nothing", Nothing.class),
                Map.entry("List", new TypeRef<List<Square>>() {}.type()),
                Map.entry("Map", new TypeRef<Map<String, Set<Color>>>() {}.type()),
                Map.entry("Color", Color.class), Map.entry("Instant", Instant.class));
    }
}
