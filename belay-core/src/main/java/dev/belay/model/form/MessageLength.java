package dev.belay.model.form;

import dev.belay.model.Message;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;

/** Counts the characters of a message that a model reads. What a picture or a file costs depends on the provider, and is not guessed. */
public final class MessageLength {

    private MessageLength() {}

    public static long of(Message message) {
        return switch (message) {
            case Message.SystemMessage system -> system.text().length();
            case Message.UserMessage user -> user.text().length();
            case Message.AssistantMessage assistant -> {
                long sum = 0;
                for (AssistantPart part : assistant.parts()) {
                    sum += of(part);
                }
                yield sum;
            }
            case Message.ToolMessage tools -> {
                long sum = 0;
                for (ReplyPart reply : tools.replies()) {
                    sum += reply.text().length();
                }
                yield sum;
            }
        };
    }

    private static long of(AssistantPart part) {
        return switch (part) {
            case TextPart(String text) -> text.length();
            case ReasoningPart(String text) -> text.length();
            case RefusalPart(String text) -> text.length();
            case CallPart(String id, String name, String arguments) ->
                (long) name.length() + arguments.length();
        };
    }
}
