package dev.belay.generated;

import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import java.util.HashMap;
import java.util.Map;

/** A sealed hierarchy: the tag field chooses the record, wherever it stands in the object. */
final class UnionCodec implements JsonCodec<Object> {

    private final String name;
    private final String tagProperty;
    private final Map<String, RecordCodec> byTag = new HashMap<>();
    private final Map<Class<?>, RecordCodec> byClass = new HashMap<>();

    UnionCodec(String name, String tagProperty) {
        this.name = name;
        this.tagProperty = tagProperty;
    }

    void variant(String tag, Class<?> type, RecordCodec codec) {
        byTag.put(tag, codec);
        byClass.put(type, codec);
    }

    @Override
    public Object read(JsonReader in) {
        String tag = in.peekField(tagProperty);
        RecordCodec variant = tag == null ? null : byTag.get(tag);
        if (variant == null) {
            throw new JsonMismatchException(
                    "field \"" + tagProperty + "\" of " + name + " must be one of " + byTag.keySet());
        }
        return variant.read(in);
    }

    @Override
    public void write(JsonWriter out, Object value) {
        RecordCodec variant = byClass.get(value.getClass());
        if (variant == null) {
            throw new JsonMismatchException(value.getClass().getName() + " is no variant of " + name);
        }
        variant.write(out, value);
    }
}
