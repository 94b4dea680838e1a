package dev.belay.generated;

import dev.belay.json.JsonDecoder;
import dev.belay.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes values of one type, and checks what its shape demands while doing so. Thread-safe.
 *
 * @param <T> the type
 */
public interface JsonCodec<T extends @Nullable Object> extends JsonDecoder<T> {

    /** Writes a value; throws {@link dev.belay.json.JsonMismatchException} if it breaks its own shape. */
    void write(JsonWriter out, T value);
}
