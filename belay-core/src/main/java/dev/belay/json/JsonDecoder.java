package dev.belay.json;

/**
 * Reads one value from the reader, no more and no less.
 *
 * @param <T> what it reads
 */
@FunctionalInterface
public interface JsonDecoder<T> {

    /** Reads one value; throws {@link JsonException} if the text does not hold one. */
    T read(JsonReader in);
}
