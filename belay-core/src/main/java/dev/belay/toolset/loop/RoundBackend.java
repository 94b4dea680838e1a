package dev.belay.toolset.loop;

import dev.belay.Wait;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolContext;
import dev.belay.tool.context.HostValues;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the calls of rounds and says what the model is told of them. Thread-safe. */
public interface RoundBackend {

    /** The body of a call. */
    @FunctionalInterface
    interface Body {

        @Nullable
        Object run(ToolContext context) throws Exception;
    }

    /** Runs the body of one call. */
    CallReply run(RoundState round, int index, ToolEntry<?> entry, Body body);

    /**
     * What the model is told, in its order; empty if calls still wait.
     *
     * @param replies one for each call
     */
    Optional<List<ReplyPart>> settle(RoundState round, List<CallReply> replies);

    /** The values that bodies are supplied with unless a request says otherwise. */
    default HostValues hostValues() {
        return HostValues.NONE;
    }

    /** Whether the tool of a name may be called in the newest round. */
    default boolean allows(String tool) {
        return true;
    }

    /** The tools that the coming request offers. */
    default void offers(Collection<? extends ToolEntry<?>> offered) {}

    /** What was decided about a call of the newest answer before the loop has it; null if nothing was. */
    default LoopHost.@Nullable Decided decided(int index) {
        return null;
    }

    /** Whether a round is the newest one. Where rounds are recorded, only the newest one may be committed. */
    default boolean isCurrent(int number) {
        return true;
    }

    /** Whether the newest answer was read from a record, so that it has been paid for. */
    default boolean isReplay() {
        return false;
    }

    /** What a round that parked waits for. */
    default List<Wait> waits() {
        return List.of();
    }

    /** Whether bodies may ask for the capabilities of a session. */
    default boolean isHosted() {
        return true;
    }
}
