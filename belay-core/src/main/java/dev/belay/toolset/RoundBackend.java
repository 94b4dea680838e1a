package dev.belay.toolset;

import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.context.HostValues;
import java.util.List;
import java.util.Optional;

/** What a round stands on: who runs its calls, and where it is committed. Thread-safe. */
interface RoundBackend {

    /** The number of changes so far. */
    long version();

    /** Appends a round; does nothing and says so if the version is another. */
    boolean append(long version, List<? extends Message> messages);

    /** Runs the body of one call. */
    ToolReply run(RoundState round, int index, ToolEntry<?> entry, ToolCall.Body<?> body);

    /**
     * What the model is told, in its order; empty if calls still wait.
     *
     * @param replies one for each call
     */
    Optional<List<ReplyPart>> settle(RoundState round, List<ToolReply> replies);

    /** What bodies are supplied with unless a request says otherwise. */
    HostValues hostValues();

    /** Whether a round is the newest one, which is the only one that counts where rounds are recorded. */
    boolean isCurrent(int number);

    /** Whether the newest answer was recorded before, so that it has been paid for. */
    default boolean isReplay() {
        return false;
    }

    /** Whether bodies may ask for what only a session has. */
    boolean isHosted();
}
