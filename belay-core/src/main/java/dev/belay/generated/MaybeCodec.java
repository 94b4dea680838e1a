package dev.belay.generated;

import dev.belay.json.Json;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.shape.Shape.Absence;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A value that may be absent or null; both read as absent, and absent is left out when written. */
final class MaybeCodec implements JsonCodec<@Nullable Object> {

    private final Absence absence;
    private final JsonCodec<Object> value;

    MaybeCodec(Absence absence, JsonCodec<Object> value) {
        this.absence = absence;
        this.value = value;
    }

    @Override
    public @Nullable Object read(JsonReader in) {
        if (in.peek() == Json.Kind.NULL) {
            in.readNull();
            return absent();
        }
        Object present = value.read(in);
        return switch (absence) {
            case NULL -> present;
            case OPTIONAL -> Optional.of(present);
            case OPTIONAL_INT -> OptionalInt.of((int) present);
            case OPTIONAL_LONG -> OptionalLong.of((long) present);
            case OPTIONAL_DOUBLE -> OptionalDouble.of((double) present);
        };
    }

    /** What Java holds when there is nothing. */
    @Nullable
    Object absent() {
        return switch (absence) {
            case NULL -> null;
            case OPTIONAL -> Optional.empty();
            case OPTIONAL_INT -> OptionalInt.empty();
            case OPTIONAL_LONG -> OptionalLong.empty();
            case OPTIONAL_DOUBLE -> OptionalDouble.empty();
        };
    }

    /** Whether there is nothing; a null optional counts as empty. */
    boolean isAbsent(@Nullable Object held) {
        return present(held) == null;
    }

    @Override
    public void write(JsonWriter out, @Nullable Object held) {
        Object present = present(held);
        if (present == null) {
            out.nullValue();
        } else {
            value.write(out, present);
        }
    }

    private @Nullable Object present(@Nullable Object held) {
        return switch (held) {
            case null -> null;
            case Optional<?> optional when absence == Absence.OPTIONAL -> optional.orElse(null);
            case OptionalInt optional -> optional.isPresent() ? (Object) optional.getAsInt() : null;
            case OptionalLong optional -> optional.isPresent() ? (Object) optional.getAsLong() : null;
            case OptionalDouble optional -> optional.isPresent() ? (Object) optional.getAsDouble() : null;
            default -> held;
        };
    }
}
