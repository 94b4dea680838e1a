package dev.belay.model;

import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Takes a whole answer apart into events, so that a model that gets its answers in one piece can still tell a listener.
 * The inverse of {@link ResponseReducer#reduce}: reducing the events gives an equal response. Stateless.
 */
public final class ModelEvents {

    private ModelEvents() {}

    /** The events of a response, every part in one piece. */
    public static List<ModelEvent> of(ModelResponse response) {
        return of(response, Integer.MAX_VALUE);
    }

    /**
     * The events of a response, its texts and arguments cut into pieces.
     *
     * @param response what to take apart
     * @param chunkSize the most code points in one piece, at least 1
     */
    public static List<ModelEvent> of(ModelResponse response, int chunkSize) {
        if (chunkSize < 1) {
            throw new IllegalArgumentException("the chunk size must be at least 1, not " + chunkSize);
        }
        return of(response, text -> cut(text, chunkSize));
    }

    public static List<ModelEvent> of(ModelResponse response, Function<String, List<String>> cut) {
        List<ModelEvent> events = new ArrayList<>();
        events.add(new Started(response.model(), response.responseId()));
        int index = 0;
        for (AssistantPart part : response.message().parts()) {
            switch (part) {
                case TextPart(String text) ->
                    cut.apply(text).forEach(chunk -> events.add(new TextDelta(chunk)));
                case ReasoningPart(String text) ->
                    cut.apply(text).forEach(chunk -> events.add(new ReasoningDelta(chunk)));
                case RefusalPart(String text) ->
                    cut.apply(text).forEach(chunk -> events.add(new RefusalDelta(chunk)));
                case CallPart(String id, String name, String arguments) -> {
                    int at = index++;
                    events.add(new CallStarted(at, id, name));
                    cut.apply(arguments).forEach(chunk -> events.add(new CallArguments(at, chunk)));
                }
            }
        }
        if (!response.usage().equals(Usage.NONE)) {
            events.add(new UsageReported(response.usage()));
        }
        events.add(new Finished(response.finish(), response.message().nativePayload()));
        return List.copyOf(events);
    }

    public static List<String> cut(String text, int size) {
        List<String> chunks = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = start;
            for (int taken = 0; taken < size && end < text.length(); taken++) {
                end += Character.charCount(text.codePointAt(end));
            }
            chunks.add(text.substring(start, end));
            start = end;
        }
        return chunks;
    }
}
