package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.TextDelta;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WholeChunksTest {

    private static final Finished END = new Finished(FinishReason.STOP, null);

    @Test
    void aSplitCharacterIsToldWithItsSecondHalf() {
        assertThat(
                told(new TextDelta("a\ud83d"), new CallStarted(0, "i", "f"), new CallArguments(0, "\ud83d"),
                        new CallArguments(1, "x"), new TextDelta(""), new TextDelta("\ude00"),
                        new CallArguments(0, "\ude00"),
                        END))
                .containsExactly(new TextDelta("a"), new CallStarted(0, "i", "f"), new CallArguments(1, "x"),
                        new TextDelta("\ud83d\ude00"), new CallArguments(0, "\ud83d\ude00"), END);
    }

    @Test
    void aHalfThatStaysAloneIsReplaced() {
        assertThat(told(new TextDelta("a\ud83d"), new ReasoningDelta("\ude00b\ud83d"), new RefusalDelta("c"),
                new CallStarted(0, "\ud800", "f\udc00"), new CallArguments(0, "{\ude00\ud83d"), END))
                .containsExactly(new TextDelta("a"), new TextDelta("\ufffd"), new ReasoningDelta("\ufffdb"),
                        new ReasoningDelta("\ufffd"), new RefusalDelta("c"),
                        new CallStarted(0, "\ufffd", "f\ufffd"),
                        new CallArguments(0, "{\u0001"), new CallArguments(0, "\u0001"), END);
    }

    private static List<ModelEvent> told(ModelEvent... events) {
        WholeChunks chunks = new WholeChunks();
        List<ModelEvent> told = new ArrayList<>();
        for (ModelEvent event : events) {
            told.addAll(chunks.of(event));
        }
        return told;
    }
}
