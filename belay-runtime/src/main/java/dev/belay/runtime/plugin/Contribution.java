package dev.belay.runtime.plugin;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A text around the conversation. The text must be the same as long as what it says is the same: providers keep what is before the
 * first change.
 *
 * @param id names it in records and in the log; unique in its plugin
 * @param slot where it stands
 * @param priority within its slot; smaller ones first, then the order of registration
 * @param tool it is left out unless the model is offered this tool; null for always
 * @param text at most 64 KiB, made within 5 seconds; one that fails is left out, and empty text is no contribution
 */
public record Contribution(String id, Slot slot, int priority, @Nullable String tool,
        Function<PluginView, String> text) {

    /** Refuses null. */
    public Contribution {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(slot, "slot");
        Objects.requireNonNull(text, "text");
    }

    /** The same with another priority. */
    public Contribution priority(int other) {
        return new Contribution(id, slot, other, tool, text);
    }

    /** The same for sessions whose model is offered a tool. */
    public Contribution with(String offered) {
        return new Contribution(id, slot, priority, offered, text);
    }
}
