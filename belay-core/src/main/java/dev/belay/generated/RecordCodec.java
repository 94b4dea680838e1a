package dev.belay.generated;

import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.Wording;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A record as an object: every field once, no field too many, none missing that is required. */
final class RecordCodec implements JsonCodec<Object> {

    /** Stands in for a value that has not been read yet. */
    private enum Missing {
        VALUE
    }

    private final String name;
    private final RecordAccess access;
    /** Field names; for a variant of a union the tag stands behind them. */
    private final String[] names;
    private final @Nullable JsonCodec<?>[] fields;
    private final int size;
    private final @Nullable String tag;

    RecordCodec(String name, RecordAccess access, List<String> names, @Nullable String tagProperty,
            @Nullable String tag) {
        this.name = name;
        this.access = access;
        this.size = names.size();
        this.tag = tag;
        this.fields = new JsonCodec<?>[size];
        this.names = names.toArray(new String[tagProperty == null ? size : size + 1]);
        if (tagProperty != null) {
            this.names[size] = tagProperty;
        }
    }

    /** Sets a field's codec; apart from the constructor, because a record may contain itself. */
    void field(int index, JsonCodec<?> codec) {
        fields[index] = codec;
    }

    @Override
    public Object read(JsonReader in) {
        @Nullable
        Object[] values = new Object[size];
        Arrays.fill(values, Missing.VALUE);
        boolean tagged = false;
        in.beginObject();
        for (int i = in.nextName(names); i != JsonReader.END; i = in.nextName(names)) {
            if (i == JsonReader.UNKNOWN) {
                throw new JsonMismatchException(name + " has no such field");
            }
            if (i == size && !tagged) {
                in.readString();
                tagged = true;
            } else if (i < size && values[i] instanceof Missing) {
                values[i] = codec(i).read(in);
            } else {
                throw new JsonMismatchException("field \"" + names[i] + "\" stands twice");
            }
        }
        for (int i = 0; i < size; i++) {
            if (values[i] instanceof Missing) {
                values[i] = absent(i);
            }
        }
        return create(values);
    }

    private @Nullable Object absent(int index) {
        if (codec(index) instanceof MaybeCodec maybe) {
            return maybe.absent();
        }
        throw new JsonMismatchException("required field \"" + names[index] + "\" is missing");
    }

    /** A compact constructor that refuses its values is a wrong argument, not a crash. */
    private Object create(@Nullable Object[] values) {
        try {
            return access.create(values);
        } catch (RuntimeException | Error e) {
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            throw new JsonMismatchException(
                    name + " refuses these values: " + Wording.of(e));
        }
    }

    @Override
    public void write(JsonWriter out, Object value) {
        out.beginObject();
        if (tag != null) {
            out.name(names[size]).value(tag);
        }
        for (int i = 0; i < size; i++) {
            Object field = access.get(value, i);
            JsonCodec<?> codec = codec(i);
            if (codec instanceof MaybeCodec maybe) {
                if (maybe.isAbsent(field)) {
                    continue;
                }
            } else if (field == null) {
                throw new JsonMismatchException(
                        name + "." + names[i] + " is null but not marked @Nullable");
            }
            out.name(names[i]);
            writeField(out, i, codec, field);
        }
        out.endObject();
    }

    @SuppressWarnings("unchecked")
    private void writeField(JsonWriter out, int index, JsonCodec<?> codec, @Nullable Object field) {
        try {
            ((JsonCodec<@Nullable Object>) codec).write(out, field);
        } catch (JsonMismatchException e) {
            throw new JsonMismatchException(name + "." + names[index] + ": " + e.getMessage());
        }
    }

    private JsonCodec<?> codec(int index) {
        return Objects.requireNonNull(fields[index]);
    }
}
