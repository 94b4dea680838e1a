package dev.belay.model.http.exchange;

import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.NativePayload;
import dev.belay.model.http.wire.SplitCharacters;
import dev.belay.schema.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the chunks of an answer consist of whole characters. It takes texts as {@link SplitCharacters} reads them. The first half
 * of a character that was split over two chunks is held back until the second one arrives. A half that stays alone is replaced as
 * {@link dev.belay.model.ModelResponse} does. Confined to one answer.
 */
public final class WholeChunks {

    private static final char LOST = '\uFFFD';
    private static final char LOST_IN_ARGUMENTS = '\u0001';

    private Content kind = Content.TEXT;
    /** The half that the content ends in; empty if it ends in a whole character. */
    private String half = "";
    /** The same for the arguments of calls, by index. */
    private final Map<Integer, String> halves = new TreeMap<>();

    private enum Content {
        TEXT, REASONING, REFUSAL;

        private ModelEvent delta(String chunk) {
            return switch (this) {
                case TEXT -> new TextDelta(chunk);
                case REASONING -> new ReasoningDelta(chunk);
                case REFUSAL -> new RefusalDelta(chunk);
            };
        }
    }

    /** The events to tell in place of this one, in order. */
    public List<ModelEvent> of(ModelEvent event) {
        return switch (event) {
            case TextDelta(String chunk) -> content(Content.TEXT, SplitCharacters.text(chunk));
            case ReasoningDelta(String chunk) -> content(Content.REASONING, SplitCharacters.text(chunk));
            case RefusalDelta(String chunk) -> content(Content.REFUSAL, SplitCharacters.text(chunk));
            case CallArguments(int index, String chunk) -> arguments(index, SplitCharacters.text(chunk));
            case Started(String model, String id) -> List.of(new Started(name(model), name(id)));
            case CallStarted(int index, String id, String name) ->
                List.of(new CallStarted(index, name(id), name(name)));
            case UsageReported usage -> List.of(usage);
            case Finished finished -> end(finished);
        };
    }

    private List<ModelEvent> content(Content next, String chunk) {
        List<ModelEvent> told = new ArrayList<>();
        if (next != kind) {
            giveUp(told);
            kind = next;
        }
        String all = half.concat(chunk);
        String kept = withoutLastHalf(all);
        half = all.substring(kept.length());
        if (!kept.isEmpty() || all.isEmpty()) {
            told.add(kind.delta(whole(kept)));
        }
        return told;
    }

    private List<ModelEvent> arguments(int index, String chunk) {
        String all = halves.getOrDefault(index, "").concat(chunk);
        String kept = withoutLastHalf(all);
        halves.put(index, all.substring(kept.length()));
        return kept.isEmpty() && !all.isEmpty()
                ? List.of()
                : List.of(new CallArguments(index, Wording.whole(kept, LOST_IN_ARGUMENTS)));
    }

    private List<ModelEvent> end(Finished finished) {
        List<ModelEvent> told = new ArrayList<>();
        giveUp(told);
        halves.forEach((index, alone) -> {
            if (!alone.isEmpty()) {
                told.add(new CallArguments(index, Wording.whole(alone, LOST_IN_ARGUMENTS)));
            }
        });
        NativePayload payload = finished.nativePayload();
        told.add(payload == null
                ? finished
                : new Finished(finished.reason(),
                        new NativePayload(payload.provider(), SplitCharacters.whole(payload.payload()))));
        return told;
    }

    /** Tells the half of the content that stayed alone. */
    private void giveUp(List<ModelEvent> told) {
        if (!half.isEmpty()) {
            told.add(kind.delta(whole(half)));
            half = "";
        }
    }

    private static String withoutLastHalf(String chunk) {
        boolean split = !chunk.isEmpty() && Character.isHighSurrogate(chunk.charAt(chunk.length() - 1));
        return split ? chunk.substring(0, chunk.length() - 1) : chunk;
    }

    private static String name(String text) {
        return whole(SplitCharacters.text(text));
    }

    private static String whole(String text) {
        return Wording.whole(text, LOST);
    }
}
