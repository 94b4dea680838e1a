package dev.belay.model.form;

import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import dev.belay.schema.Wording;
import org.jspecify.annotations.Nullable;

/**
 * Replaces halves of characters in what a model said. A record cannot hold a half, and two ids that differ only in their halves
 * would be equal in it. Nested JSON has no halves: {@link dev.belay.json.Json} refuses them. Stateless.
 */
public final class WholeCharacters {

    /** Stands for half a character. It differs from what {@link MessageWriter} writes, so that no id becomes a question mark. */
    private static final char HALF = '\uFFFD';

    private WholeCharacters() {}

    /** The text with {@code U+FFFD} in place of every half; the same object if there is none. */
    public static String of(String text) {
        return Wording.whole(text, HALF);
    }

    /** The message with whole characters only; the same object if it has no others. */
    public static AssistantMessage of(AssistantMessage message) {
        NativePayload payload = message.nativePayload();
        if (isWhole(message, payload)) {
            return message;
        }
        return new AssistantMessage(message.parts().stream().map(WholeCharacters::of).toList(),
                payload == null ? null : new NativePayload(of(payload.provider()), payload.payload()));
    }

    private static boolean isWhole(AssistantMessage message, @Nullable NativePayload payload) {
        return message.parts().stream().allMatch(WholeCharacters::isWhole)
                && (payload == null || Wording.isWhole(payload.provider()));
    }

    private static boolean isWhole(AssistantPart part) {
        return switch (part) {
            case TextPart(String text) -> Wording.isWhole(text);
            case ReasoningPart(String text) -> Wording.isWhole(text);
            case RefusalPart(String text) -> Wording.isWhole(text);
            case CallPart(String id, String name, String arguments) ->
                Wording.isWhole(id) && Wording.isWhole(name) && Wording.isWhole(arguments);
        };
    }

    private static AssistantPart of(AssistantPart part) {
        return switch (part) {
            case TextPart(String text) -> new TextPart(of(text));
            case ReasoningPart(String text) -> new ReasoningPart(of(text));
            case RefusalPart(String text) -> new RefusalPart(of(text));
            case CallPart(String id, String name, String arguments) ->
                new CallPart(of(id), of(name), Wording.whole(arguments, MessageWriter.HALF_OF_ARGUMENTS));
        };
    }
}
