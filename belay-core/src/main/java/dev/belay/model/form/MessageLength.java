package dev.belay.model.form;

import dev.belay.model.Message;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;

/** Counts the characters of a message that a model reads. What a picture or a file costs depends on the provider, and is not guessed. */
public final class MessageLength {

    /** The objects around the texts of a message. */
    private static final long OVERHEAD = 200;

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

    /** About how many bytes of memory a message takes, pictures and files included. */
    public static long bytes(Message message) {
        long characters = of(message);
        if (message instanceof Message.UserMessage user) {
            for (UserPart part : user.parts()) {
                characters += switch (part) {
                    case TextPart text -> 0;
                    case ImagePart(String type, Source source) -> length(source);
                    case FilePart(String type, String name, Source source) -> length(source);
                };
            }
        }
        if (message instanceof Message.AssistantMessage assistant && assistant.nativePayload() != null) {
            characters += assistant.nativePayload().payload().text().length();
        }
        return OVERHEAD + 2 * characters;
    }

    private static long length(Source source) {
        return source instanceof Source.Inline(String base64) ? base64.length() : 0;
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
