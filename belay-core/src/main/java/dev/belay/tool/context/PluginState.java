package dev.belay.tool.context;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A value that a plugin keeps with each session. It has no setter: a change is data, recorded with what made it, and a pure function
 * makes the next value of it. So the same value comes about when a turn is replayed, in any process. A constant of its plugin.
 * Immutable, thread-safe if the function is.
 *
 * @param <S> the value
 * @param <C> its changes; a sealed interface of records, usually
 */
public final class PluginState<S, C> {

    private final String name;
    private final ValueCodec<S> values;
    private final S initial;
    private final ValueCodec<C> changes;
    private final BiFunction<S, C, S> apply;
    private final int version;
    private final @Nullable Upgrade upgrade;

    /** Makes today's form of a value that an older version of the plugin has kept. */
    @FunctionalInterface
    public interface Upgrade {

        /** Today's JSON of a value; whatever it throws lets the session wait. */
        Json apply(int version, Json kept);
    }

    private PluginState(String name, ValueCodec<S> values, S initial, ValueCodec<C> changes,
            BiFunction<S, C, S> apply, int version, @Nullable Upgrade upgrade) {
        this.name = name;
        this.values = values;
        this.initial = initial;
        this.changes = changes;
        this.apply = apply;
        this.version = version;
        this.upgrade = upgrade;
    }

    /**
     * A state of version 1.
     *
     * @param name unique in its plugin, kept with the session; 1 to 64 letters, digits, {@code _}, {@code -} and {@code .}
     * @param type of the value; anything that has a schema
     * @param initial the value of a session that was never changed
     * @param changes of the value
     * @param apply the next value; pure: it looks at nothing but its arguments and changes none of them
     */
    public static <S, C> PluginState<S, C> of(String name, Class<S> type, S initial, Class<C> changes,
            BiFunction<S, C, S> apply) {
        if (!name.matches("[a-zA-Z0-9_.-]{1,64}")) {
            throw new IllegalArgumentException(
                    "a state is named by 1 to 64 letters, digits, _, - and ., found \"" + name + "\"");
        }
        return new PluginState<>(name, ValueCodec.of(type), Objects.requireNonNull(initial, "initial"),
                ValueCodec.of(changes), Objects.requireNonNull(apply, "apply"), 1, null);
    }

    /**
     * The same in a later version. A session whose value has a later version than this waits for a program that knows it.
     *
     * @param number 2 or more
     * @param from makes this version's form of older ones
     */
    public PluginState<S, C> version(int number, Upgrade from) {
        if (number < 2) {
            throw new IllegalArgumentException("a later version is 2 or more, found " + number);
        }
        return new PluginState<>(name, values, initial, changes, apply, number,
                Objects.requireNonNull(from, "from"));
    }

    /** Its name in its plugin. */
    public String name() {
        return name;
    }

    /** The version of the form in which values are kept. */
    public int version() {
        return version;
    }

    /** The value of a session that was never changed. */
    public S initial() {
        return initial;
    }

    /** The next value. */
    public S apply(S value, C change) {
        return Objects.requireNonNull(apply.apply(value, change), () -> "state " + name + " became null");
    }

    /** A value as it is kept. */
    public Json encode(S value) {
        return values.encode(value);
    }

    /** A value that was kept; {@code plugin_not_restored} if it is none, or of a later version. */
    public S decode(int kept, Json value) {
        try {
            if (kept > version) {
                throw new IllegalArgumentException("it has version " + kept);
            }
            return values
                    .decode(kept == version ? value : Objects.requireNonNull(upgrade).apply(kept, value));
        } catch (RuntimeException e) {
            throw new BelayException("plugin_not_restored", "state " + name
                    + " cannot be restored: this program knows version " + version + ", kept was version "
                    + kept + "; " + e.getMessage(), e);
        }
    }

    /** A change as it is recorded. */
    public Json encodeChange(C change) {
        return changes.encode(change);
    }

    /** A change that was recorded; {@code plugin_not_restored} if it is none. */
    public C decodeChange(Json recorded) {
        try {
            return changes.decode(recorded);
        } catch (JsonException e) {
            throw new BelayException("plugin_not_restored",
                    "a change of state " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Its name and version. */
    @Override
    public String toString() {
        return name + " (version " + version + ")";
    }
}
