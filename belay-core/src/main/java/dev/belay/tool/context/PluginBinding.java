package dev.belay.tool.context;

import dev.belay.BelayException;
import dev.belay.generated.Codecs;
import dev.belay.generated.JsonCodec;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonReader;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.ShapeMapper;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name and type of something that a program gives along with one input: for the providers and plugins that know the binding,
 * not for the model and not for bodies. Two bindings of one id must have the same type. Immutable, thread-safe.
 *
 * @param <T> the type of the value
 */
public final class PluginBinding<T> {

    private final String id;
    private final Class<T> type;
    private final JsonCodec<@Nullable Object> codec;

    private PluginBinding(String id, Class<T> type, JsonCodec<@Nullable Object> codec) {
        this.id = id;
        this.type = type;
        this.codec = codec;
    }

    /**
     * A binding.
     *
     * @param id of the plugin or provider that reads it
     * @param type anything that has a schema, such as a record
     */
    public static <T> PluginBinding<T> of(String id, Class<T> type) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a binding needs an id, found \"" + id + "\"");
        }
        var shape = ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
        return new PluginBinding<>(id, type,
                Codecs.of(shape, type.getClassLoader(), record -> Optional.empty()));
    }

    /** Who reads it. */
    public String id() {
        return id;
    }

    /** The value as it is kept. */
    public Json encode(T value) {
        Objects.requireNonNull(value, "value");
        return Json.write(out -> codec.write(out, value));
    }

    /** A value that was kept; {@code plugin_input_mismatch} if it was given by a binding of another type. */
    public T decode(Json kept) {
        try {
            return type.cast(Objects.requireNonNull(
                    codec.read(new JsonReader(kept.text(), JsonLimits.DEFAULT))));
        } catch (JsonException | ClassCastException | NullPointerException e) {
            throw new BelayException("plugin_input_mismatch", "what was given for " + id + " is no "
                    + type.getSimpleName() + ": " + e.getMessage()
                    + "; the program that gives it and the plugin that reads it must use the same binding",
                    e);
        }
    }
}
