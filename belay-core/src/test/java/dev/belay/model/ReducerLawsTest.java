package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message.AssistantMessage;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is streamed reduces to what was said, wherever it was cut and however the streams were mixed. */
class ReducerLawsTest {

    private static final int RUNS = 2_000;
    private static final List<FinishReason> FINISHES = List.of(FinishReason.values());
    private static final String ALPHABET = "ab{}\"\\ \n0é\u4e16";

    @Test
    void splitsAndInterleavingsDoNotChangeTheResponse() {
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            ModelResponse said = response(random);
            assertThat(ResponseReducer.reduce(stream(said, random))).as("seed %d", seed).isEqualTo(said);
        }
    }

    @Test
    void explodedResponsesReduceToThemselves() {
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            ModelResponse said = response(random);
            int size = 1 + random.nextInt(5);
            assertThat(ResponseReducer.reduce(ModelEvents.of(said, size))).as("seed %d", seed)
                    .isEqualTo(said);
            assertThat(ResponseReducer.reduce(ModelEvents.of(said))).as("seed %d", seed).isEqualTo(said);
        }
    }

    @Test
    void chunksRespectCodePoints() {
        ModelResponse said = new ModelResponse(Message.assistant("a\ud83d\ude00b"), FinishReason.STOP,
                Usage.NONE, "m", "");
        assertThat(ModelEvents.of(said, 1)).containsExactly(new Started("m", ""), new TextDelta("a"),
                new TextDelta("\ud83d\ude00"), new TextDelta("b"), new Finished(FinishReason.STOP, null));
        assertThatThrownBy(() -> ModelEvents.of(said, 0)).hasMessageContaining("at least 1, not 0");
    }

    @Test
    void wholePartsAreOneEvent() {
        ModelResponse said = new ModelResponse(
                Message.assistant(new TextPart("Hi"), new CallPart("c", "f", "{}")),
                FinishReason.TOOL_CALLS, Usage.of(1, 2), "m", "r");
        assertThat(ModelEvents.of(said)).containsExactly(new Started("m", "r"), new TextDelta("Hi"),
                new CallStarted(0, "c", "f"), new CallArguments(0, "{}"), new UsageReported(Usage.of(1, 2)),
                new Finished(FinishReason.TOOL_CALLS, null));
    }

    /** Parts in the canonical form, written down here by hand: no two neighbours of a kind, calls last, up to 15 of them. */
    private static ModelResponse response(Random random) {
        List<AssistantPart> parts = new ArrayList<>();
        int kind = random.nextInt(3);
        for (int left = random.nextInt(4); left > 0; left--) {
            String text = text(random, 1 + random.nextInt(12));
            parts.add(switch (kind) {
                case 0 -> new TextPart(text);
                case 1 -> new ReasoningPart(text);
                default -> new RefusalPart(text);
            });
            kind = (kind + 1 + random.nextInt(2)) % 3;
        }
        for (int left = random.nextInt(16); left > 0; left--) {
            parts.add(new CallPart(random.nextBoolean() ? "" : text(random, 3), text(random, 4),
                    text(random, random.nextInt(12))));
        }
        NativePayload payload = random.nextBoolean()
                ? null
                : new NativePayload("p", Json.number(random.nextInt()));
        Usage usage = random.nextBoolean() ? Usage.NONE : Usage.of(random.nextInt(100), random.nextInt(100));
        return new ModelResponse(new AssistantMessage(parts, payload),
                FINISHES.get(random.nextInt(FINISHES.size())), usage, "m", "r");
    }

    /** The content and every call as streams of their own, each cut anywhere (also inside a surrogate pair), mixed. */
    private static List<ModelEvent> stream(ModelResponse said, Random random) {
        List<Deque<ModelEvent>> streams = new ArrayList<>();
        Deque<ModelEvent> content = new ArrayDeque<>();
        streams.add(content);
        int index = random.nextInt(5);
        for (AssistantPart part : said.message().parts()) {
            switch (part) {
                case TextPart(String text) -> content.addAll(cut(text, random, TextDelta::new));
                case ReasoningPart(String text) -> content.addAll(cut(text, random, ReasoningDelta::new));
                case RefusalPart(String text) -> content.addAll(cut(text, random, RefusalDelta::new));
                case CallPart(String id, String name, String arguments) -> {
                    int at = index;
                    index += 1 + random.nextInt(3);
                    Deque<ModelEvent> call = new ArrayDeque<>(List.of(new CallStarted(at, id, name)));
                    call.addAll(cut(arguments, random, chunk -> new CallArguments(at, chunk)));
                    streams.add(call);
                }
            }
        }
        streams.add(new ArrayDeque<>(List.of(new UsageReported(said.usage()))));
        List<ModelEvent> events = new ArrayList<>(List.of(new Started(said.model(), said.responseId())));
        streams.removeIf(Deque::isEmpty);
        while (!streams.isEmpty()) {
            Deque<ModelEvent> next = streams.get(random.nextInt(streams.size()));
            events.add(next.removeFirst());
            streams.removeIf(Deque::isEmpty);
        }
        events.add(new Finished(said.finish(), said.message().nativePayload()));
        return events;
    }

    private static List<ModelEvent> cut(String text, Random random, Function<String, ModelEvent> event) {
        List<ModelEvent> events = new ArrayList<>();
        for (int start = 0; start < text.length();) {
            int end = Math.min(text.length(), start + random.nextInt(4));
            events.add(event.apply(text.substring(start, end)));
            start = end;
        }
        return events;
    }

    private static String text(Random random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int pick = random.nextInt(ALPHABET.length() + 1);
            text.append(pick == ALPHABET.length() ? "\ud83d\ude00" : ALPHABET.substring(pick, pick + 1));
        }
        return text.toString();
    }
}
