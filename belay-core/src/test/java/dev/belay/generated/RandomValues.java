package dev.belay.generated;

import dev.belay.json.Json;
import dev.belay.schema.shape.Constraints;
import dev.belay.schema.shape.ScalarType;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeIndex;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Draws Java values that a shape allows, without help from any codec. */
final class RandomValues {

    private static final List<String> ZONES = List.of("Europe/Paris", "America/New_York", "UTC", "Z",
            "+05:30",
            "Asia/Kolkata", "GMT+2");
    private static final List<String> LETTERS = List.of("a", "B", "7", " ", "\"", "\\", "\n", "é", "€",
            "\u0000", "\u2028", "😀", "/", "~");

    private final Random random;
    private final ShapeIndex index;

    RandomValues(Random random, Shape root) {
        this.random = random;
        this.index = ShapeIndex.of(root);
    }

    @Nullable
    Object value(Shape shape, int depth) {
        return switch (shape) {
            case Shape.Scalar scalar -> scalar(scalar.type(), scalar.constraints());
            case Shape.Choice choice -> pick(Arrays.asList(
                    Objects.requireNonNull(load(choice.typeName()).getEnumConstants())));
            case Shape.Structure structure -> record(structure, depth);
            case Shape.Union union -> {
                var variants = union.variants();
                // with little depth left the first variant, which ends, or there would be no end
                Shape.Variant variant = depth <= 0 ? variants.getFirst() : pick(variants);
                yield record((Shape.Structure) index.resolve(variant.structure()), depth);
            }
            case Shape.Sequence sequence -> sequence.set() ? set(sequence, depth) : list(sequence, depth);
            case Shape.Mapping mapping -> map(mapping, depth);
            case Shape.Maybe maybe -> maybe(maybe, depth);
            case Shape.Any any -> pick(List.of(Json.TRUE, Json.of("[1,{\"a\":2.50}]"), Json.string("x\ny"),
                    Json.number(random.nextLong())));
            case Shape.Reference reference -> value(index.resolve(reference), depth);
            case Shape.Nothing nothing -> throw new IllegalStateException("nothing has no value");
        };
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object record(Shape.Structure structure, int depth) {
        @Nullable
        Object[] values = structure.fields().stream().map(field -> value(field.shape(), depth - 1)).toArray();
        try {
            Class<?> type = load(structure.typeName());
            Constructor<?> constructor = type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private int count(Constraints.@Nullable CountRange size, int depth) {
        int min = size == null ? 0 : size.min();
        int max = Math.max(min, Math.min(size == null ? 3 : size.max(), depth <= 0 ? 0 : 3));
        return min + random.nextInt(max - min + 1);
    }

    private List<@Nullable Object> list(Shape.Sequence sequence, int depth) {
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = count(sequence.size(), depth); i > 0; i--) {
            items.add(value(sequence.item(), depth - 1));
        }
        return items;
    }

    /** Items that differ as JSON too: {@code 1.0} and {@code 1.00} do not. */
    private Set<@Nullable Object> set(Shape.Sequence sequence, int depth) {
        Set<@Nullable Object> items = new LinkedHashSet<>();
        Set<String> plain = new HashSet<>();
        int wanted = count(sequence.size(), depth);
        for (int tries = 0; items.size() < wanted && tries < 50; tries++) {
            Object item = value(sequence.item(), depth - 1);
            if (plain.add(plain(item))) {
                items.add(item);
            }
        }
        return items;
    }

    private static String plain(@Nullable Object item) {
        return switch (item) {
            case BigDecimal number -> number.signum() == 0 ? "0" : number.stripTrailingZeros().toString();
            case Double number -> Double.toString(number + 0.0);
            case null, default -> String.valueOf(item);
        };
    }

    private Map<String, @Nullable Object> map(Shape.Mapping mapping, int depth) {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (int i = count(mapping.size(), depth); i > 0; i--) {
            entries.put(text(0, 4), value(mapping.value(), depth - 1));
        }
        return entries;
    }

    private @Nullable Object maybe(Shape.Maybe maybe, int depth) {
        boolean absent = depth <= 0 || random.nextInt(3) == 0;
        return switch (maybe.absence()) {
            case NULL -> absent ? null : value(maybe.value(), depth);
            case OPTIONAL -> absent ? Optional.empty() : Optional.ofNullable(value(maybe.value(), depth));
            case OPTIONAL_INT -> absent ? OptionalInt.empty() : OptionalInt.of(random.nextInt());
            case OPTIONAL_LONG -> absent ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
            case OPTIONAL_DOUBLE ->
                absent ? OptionalDouble.empty() : OptionalDouble.of(random.nextGaussian() * 1e6);
        };
    }

    private String text(int min, int max) {
        var text = new StringBuilder();
        for (int i = min + random.nextInt(max - min + 1); i > 0; i--) {
            text.append(pick(LETTERS));
        }
        return text.toString();
    }

    private Object scalar(ScalarType type, Constraints constraints) {
        Constraints.NumberRange range = constraints.range();
        if (range != null) {
            return bounded(type, range);
        }
        if (constraints.pattern() != null) {
            return pick(List.of("a", "abc", "cab"));
        }
        Constraints.CountRange length = constraints.length();
        return switch (type) {
            case BOOLEAN -> random.nextBoolean();
            case BYTE -> (byte) random.nextInt();
            case SHORT -> (short) random.nextInt();
            case INT -> pick(List.of(random.nextInt(), Integer.MAX_VALUE, Integer.MIN_VALUE, 0));
            case LONG -> pick(List.of(random.nextLong(), Long.MAX_VALUE, Long.MIN_VALUE, 0L));
            case BIG_INTEGER -> new BigInteger(random.nextInt(1, 1_000), random).negate();
            case FLOAT -> pick(List.of(random.nextFloat(), -0.0f, Float.MAX_VALUE, Float.MIN_VALUE, 1e10f));
            case DOUBLE ->
                pick(List.of(random.nextGaussian(), -0.0, Double.MAX_VALUE, Double.MIN_VALUE, 3.0));
            case BIG_DECIMAL ->
                new BigDecimal(new BigInteger(random.nextInt(1, 200), random), random.nextInt(-50, 50));
            case STRING -> length == null ? text(0, 8) : text(length.min(), Math.min(length.max(), 8));
            case UUID -> new UUID(random.nextLong(), random.nextLong());
            case URI -> URI.create(pick(List.of("https://example.com/a?b=c#d", "urn:x:1", "relative", "")));
            default -> time(type);
        };
    }

    private Object time(ScalarType type) {
        Instant instant = Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 60_000_000_000L),
                random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
        LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        ZoneId zone = ZoneId.of(pick(ZONES));
        return switch (type) {
            case INSTANT -> instant;
            case OFFSET_DATE_TIME ->
                instant.atOffset(ZoneOffset.ofTotalSeconds(random.nextInt(-64_800, 64_801)));
            case ZONED_DATE_TIME -> instant.atZone(zone);
            case LOCAL_DATE -> LocalDate.from(local);
            case LOCAL_TIME -> LocalTime.from(local);
            case LOCAL_DATE_TIME -> local;
            case DURATION -> Duration.ofSeconds(random.nextLong(-1_000_000, 1_000_000), random.nextInt());
            case PERIOD -> Period.of(random.nextInt(-9, 9), random.nextInt(-99, 99), random.nextInt());
            case ZONE_ID -> zone;
            default -> throw new IllegalStateException(type.name());
        };
    }

    /** Numbers strictly inside the bounds, which is right for closed and open ones. */
    private Object bounded(ScalarType type, Constraints.NumberRange range) {
        double min = range.min() == null ? -1_000 : range.min().doubleValue();
        double max = range.max() == null ? 1_000 : range.max().doubleValue();
        double within = min + (0.01 + 0.98 * random.nextDouble()) * (max - min);
        long whole = BigDecimal.valueOf(within).setScale(0, RoundingMode.FLOOR).longValue();
        long inside = whole < min ? whole + 1 : whole;
        return switch (type) {
            case INT -> (int) inside;
            case FLOAT -> (float) within;
            case DOUBLE -> within;
            case BIG_DECIMAL -> BigDecimal.valueOf(within).setScale(3, RoundingMode.FLOOR);
            case BIG_INTEGER -> BigInteger.valueOf(inside);
            default -> throw new IllegalStateException(type.name());
        };
    }
}
