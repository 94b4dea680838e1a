package dev.belay.runtime.store.rows;

import dev.belay.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of a stored row, one after another. Confined to the reading of that row. */
public final class Values {

    private final @Nullable Object[] values;
    private int next;

    Values(@Nullable Object[] values) {
        this.values = values;
    }

    private @Nullable Object next() {
        return values[next++];
    }

    String text() {
        return (String) Objects.requireNonNull(next(), "a text is missing");
    }

    @Nullable
    String textOrNull() {
        return (String) next();
    }

    long number() {
        return (Long) Objects.requireNonNull(next(), "a number is missing");
    }

    int count() {
        return Math.toIntExact(number());
    }

    boolean flag() {
        return number() != 0;
    }

    @Nullable
    Long numberOrNull() {
        return (Long) next();
    }

    Instant moment() {
        return (Instant) Objects.requireNonNull(next(), "a moment is missing");
    }

    @Nullable
    Instant momentOrNull() {
        return (Instant) next();
    }

    Json json() {
        return (Json) Objects.requireNonNull(next(), "a value is missing");
    }

    @Nullable
    Json jsonOrNull() {
        return (Json) next();
    }

    byte[] bytes() {
        return (byte[]) Objects.requireNonNull(next(), "bytes are missing");
    }

    byte @Nullable [] bytesOrNull() {
        return (byte[]) next();
    }

    <E extends Enum<E>> E word(Class<E> type) {
        return Enum.valueOf(type, text());
    }

    <E extends Enum<E>> @Nullable E wordOrNull(Class<E> type) {
        String word = textOrNull();
        return word == null ? null : Enum.valueOf(type, word);
    }

    dev.belay.tool.context.Incarnation incarnation() {
        return dev.belay.tool.context.Incarnation.parse(text());
    }
}
