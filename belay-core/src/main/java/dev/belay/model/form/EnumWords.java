package dev.belay.model.form;

import dev.belay.model.FinishReason;
import dev.belay.model.Part.ReplyPart.Status;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How the constants of an enum are written: their names in lower case. Thread-safe: never changed.
 *
 * @param <E> the enum
 */
public final class EnumWords<E extends Enum<E>> {

    public static final EnumWords<FinishReason> FINISH_REASONS = new EnumWords<>(FinishReason.class);
    static final EnumWords<Status> STATUSES = new EnumWords<>(Status.class);

    private final Map<E, String> words;
    private final Map<String, E> values = new HashMap<>();

    private EnumWords(Class<E> type) {
        words = new EnumMap<>(type);
        for (E value : type.getEnumConstants()) {
            String word = value.name().toLowerCase(Locale.ROOT);
            words.put(value, word);
            values.put(word, value);
        }
    }

    public String of(E value) {
        return Objects.requireNonNull(words.get(value));
    }

    Optional<E> find(String word) {
        return Optional.ofNullable(values.get(word));
    }

    /** All words in the order of the constants. */
    Collection<String> all() {
        return words.values();
    }
}
