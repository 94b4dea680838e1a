package dev.belay.tool;

import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a model once from within a tool. What it costs counts for the call. */
public interface DirectModel {

    /**
     * What to ask.
     *
     * @param model which model, by the runtime's name, or null for the turn's
     * @param variant in which of the runtime's ways it is asked, by name, or null for the turn's
     * @param messages the conversation
     * @param output the form of the answer
     * @param generation how the answer is to be made; what it does not set is as for the turn
     * @param listener told what arrives
     * @param replayKey tells requests apart that are otherwise equal, or null
     */
    record DirectRequest(@Nullable String model, @Nullable String variant, List<Message> messages,
            OutputSpec output,
            Generation generation, ModelListener listener, @Nullable String replayKey) {

        /** Copies the messages. */
        public DirectRequest {
            messages = List.copyOf(messages);
        }

        /** Asks the session's model for text. */
        public static DirectRequest of(Message... messages) {
            return new DirectRequest(null, null, List.of(messages), OutputSpec.text(),
                    Generation.PROVIDER_DECIDES,
                    ModelListener.silent(), null);
        }
    }

    /**
     * Asks.
     *
     * @param request what
     * @param source who asks, for traces
     * @throws ToolException {@code unknown_model} or {@code unknown_variant} if a name is not there
     */
    ModelResponse complete(DirectRequest request, String source);
}
