package dev.belay.tool.context;

import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import dev.belay.tool.ToolException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a model once from within a tool. What it costs counts for the call. */
public interface DirectModel {

    /**
     * What to ask. Begin with {@link #of} and change what is to be different.
     *
     * @param model which model, by the runtime's name, or null for the turn's
     * @param variant in which of the runtime's ways it is asked, by name, or null for the turn's
     * @param messages the conversation
     * @param attachments what to show beside the last thing that the user says: an image as an image, anything else as a file
     * @param output the form of the answer
     * @param generation how the answer is to be made; what it does not set is as for the turn
     * @param listener told what arrives
     * @param replayKey tells requests apart that are otherwise equal, or null
     */
    record DirectRequest(@Nullable String model, @Nullable String variant, List<Message> messages,
            List<Attachments.Reference> attachments, OutputSpec output, Generation generation,
            ModelListener listener, @Nullable String replayKey) {

        /** Copies the lists; refuses attachments if the user says nothing that they could stand beside. */
        public DirectRequest {
            messages = List.copyOf(messages);
            attachments = List.copyOf(attachments);
            if (!attachments.isEmpty()
                    && messages.stream().noneMatch(Message.UserMessage.class::isInstance)) {
                throw new IllegalArgumentException("attachments are shown with the last user message, and"
                        + " there is none among these " + messages.size() + " messages");
            }
        }

        /** Asks the session's model for text. */
        public static DirectRequest of(Message... messages) {
            return new DirectRequest(null, null, List.of(messages), List.of(), OutputSpec.text(),
                    Generation.PROVIDER_DECIDES, ModelListener.silent(), null);
        }

        /** The same for another model, by its name in the runtime. */
        public DirectRequest withModel(String name) {
            return new DirectRequest(name, variant, messages, attachments, output, generation, listener,
                    replayKey);
        }

        /** The same asked in another of the runtime's ways, by its name. */
        public DirectRequest withVariant(String name) {
            return new DirectRequest(model, name, messages, attachments, output, generation, listener,
                    replayKey);
        }

        /** The same with these attachments, and no others, beside the last thing that the user says. */
        public DirectRequest withAttachments(List<Attachments.Reference> shown) {
            return new DirectRequest(model, variant, messages, shown, output, generation, listener,
                    replayKey);
        }

        /** The same with another form of the answer. */
        public DirectRequest withOutput(OutputSpec form) {
            return new DirectRequest(model, variant, messages, attachments, form, generation, listener,
                    replayKey);
        }

        /** The same with another way to make the answer. */
        public DirectRequest withGeneration(Generation settings) {
            return new DirectRequest(model, variant, messages, attachments, output, settings, listener,
                    replayKey);
        }

        /** The same with a listener, who is told what arrives. */
        public DirectRequest withListener(ModelListener told) {
            return new DirectRequest(model, variant, messages, attachments, output, generation, told,
                    replayKey);
        }

        /** The same under a name of its own in a resumable body; without one, questions are numbered in their order. */
        public DirectRequest withReplayKey(String key) {
            return new DirectRequest(model, variant, messages, attachments, output, generation, listener,
                    key);
        }
    }

    /**
     * Asks.
     *
     * @param request what
     * @param source who asks, for traces
     * @throws ToolException {@code unknown_model} or {@code unknown_variant} if a name is not there, {@code unknown_attachment} if
     *         something that is to be shown is not kept where the call is
     */
    ModelResponse complete(DirectRequest request, String source);
}
