package dev.belay.tool.context;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;

/**
 * The name and type of something that a program gives along with one input: for the providers and plugins that know the binding,
 * not for the model and not for bodies. Two bindings of one id must have the same type. Immutable, thread-safe.
 *
 * @param <T> the type of the value
 */
public final class PluginBinding<T> {

    private final String id;
    private final ValueCodec<T> codec;

    /**
     * What is given along with one input.
     *
     * @param id of its binding
     * @param value as it is kept
     */
    public record Given(String id, Json value) {}

    private PluginBinding(String id, ValueCodec<T> codec) {
        this.id = id;
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
        return new PluginBinding<>(id, ValueCodec.of(type));
    }

    /** Who reads it. */
    public String id() {
        return id;
    }

    /** The value of one input, for a turn whose loop is the program's own. */
    public Given given(T value) {
        return new Given(id, encode(value));
    }

    /** The value as it is kept. */
    public Json encode(T value) {
        return codec.encode(value);
    }

    /** A value that was kept; {@code plugin_input_mismatch} if it was given by a binding of another type. */
    public T decode(Json kept) {
        try {
            return codec.decode(kept);
        } catch (JsonException e) {
            throw new BelayException("plugin_input_mismatch", "what was given for " + id + " is no "
                    + codec.type().getSimpleName() + ": " + e.getMessage()
                    + "; the program that gives it and the plugin that reads it must use the same binding",
                    e);
        }
    }
}
