package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.Usage;
import dev.belay.toolset.StepEvent.Streamed;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A step does not depend on where its stream was cut, how it was mixed, and whether somebody listened. */
class StepLawsTest {

    private static final int RUNS = 600;
    private static final List<FinishReason> FINISHES = List.of(FinishReason.values());
    private static final List<String> TEXTS = List.of("Room 7.", " ", "{\"name\":\"Ann\",\"room\":7}",
            "{\"name\":\"Ann\"}", "é\ud83d\ude00\u4e16", "```json\n{\"name\":\"Bo\",\"room\":1}\n```");
    private static final List<String> NAMES = List.of("find_guest", "ring", "open_safe", "find_ghost", "");
    private static final List<String> ARGUMENTS = List.of(DeskTools.FIND_ANN, "{}", "", "{\"na", "[1]",
            "{\"times\":2}", "{\"name\":1,\"floor\":\"x\"}", "{\"room\":7}");

    /** Everything that can be seen of a step. */
    private record Seen(String end, List<String> calls, List<String> issues, List<Message> messages,
            Usage usage, Usage pool) {}

    /** Row 50. */
    @Test
    void reduceEqualsCollect() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            ModelResponse said = response(random);
            boolean structured = random.nextBoolean();
            Seen whole = see(stream(said, new Random(0), text -> List.of(text)), said, structured, null);
            List<ModelEvent> heard = new ArrayList<>();
            Seen split = see(stream(said, random, text -> cut(text, random)), said, structured, event -> {
                if (event instanceof Streamed(ModelEvent streamed)) {
                    heard.add(streamed);
                } else if (event instanceof StepEvent.AskedAgain) {
                    heard.clear();
                }
            });
            assertThat(split).as("seed %d", seed).isEqualTo(whole);
            assertThat(ResponseReducer.reduce(heard)).as("seed %d", seed).isEqualTo(said);
            assertThat(whole.end()).as("seed %d", seed).isEqualTo(end(said, structured));
            assertThat(whole.calls().size() + whole.issues().size()).as("seed %d", seed)
                    .isEqualTo(said.calls().size());
        }
    }

    /** Rows 50 and 51. */
    @Test
    void stoppedAnywhereTheRestIsWhatWasHeard() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            ModelResponse said = response(random);
            List<ModelEvent> events = stream(said, random, text -> cut(text, random));
            int last = random.nextInt(events.size());
            int[] count = {0};
            var transcript = asked();
            StepException stopped = failureOf(
                    () -> transcript.step(new PlayedModel(events, () -> said)).listener(event -> {
                        if (event instanceof Streamed && count[0]++ == last) {
                            throw StepListener.stop();
                        }
                    }).tools(DeskTools.SET).run());
            assertThat(stopped.code()).as("seed %d", seed).isEqualTo("step_stopped");
            StringBuilder text = new StringBuilder();
            long calls = 0;
            for (ModelEvent event : events.subList(0, last + 1)) {
                if (event instanceof TextDelta(String chunk)) {
                    text.append(chunk);
                } else if (event instanceof CallStarted) {
                    calls++;
                }
            }
            if (!text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1))) {
                text.setCharAt(text.length() - 1, '\ufffd'); // stopped inside a character
            }
            assertThat(stopped.text()).as("seed %d", seed).isEqualTo(text.toString());
            assertThat(stopped.partial().orElseThrow().calls()).as("seed %d", seed).hasSize((int) calls);
            assertThat(transcript.messages()).as("seed %d", seed).hasSize(1);
        }
    }

    /** Whatever a model says, what is committed can be sent again. */
    @Test
    void historyStaysWellFormed() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            var transcript = asked();
            for (int i = 0; i < 5; i++) {
                ModelResponse said = response(random);
                try {
                    Step<DeskTools, String> step = transcript
                            .step(new PlayedModel(List.of(), () -> said))
                            .tools(DeskTools.SET)
                            .run();
                    if (step instanceof Step.NeedsTools<DeskTools, String>(Round<DeskTools> round)) {
                        round.commit(DeskTools.repliesTo(round));
                    }
                } catch (StepException e) {
                    assertThat(e.code()).as("seed %d", seed).isIn("output_limit", "empty_reply");
                }
                assertThat(History.problems(transcript.messages())).as("seed %d", seed)
                        .isEmpty();
            }
        }
    }

    private static Seen see(List<ModelEvent> events, ModelResponse said, boolean structured,
            @Nullable StepListener listener) {
        var transcript = asked();
        var pool = BudgetPool.of(SpendLimit.tokens(1_000_000));
        var request = transcript.step(new PlayedModel(events, () -> said)).budget(pool);
        if (listener != null) {
            request.listener(listener);
        }
        String end;
        List<String> calls = new ArrayList<>();
        List<String> issues = new ArrayList<>();
        try {
            Step<DeskTools, ?> step = structured
                    ? request.as(DeskTools.Guest.class).tools(DeskTools.SET).run()
                    : request.tools(DeskTools.SET).run();
            switch (step) {
                case Step.Finished<DeskTools, ?>(Object value) -> end = "finished " + value;
                case Step.Refused<DeskTools, ?>(String reason) -> end = "refused";
                case Step.NeedsTools<DeskTools, ?>(Round<DeskTools> round) -> {
                    end = "needs tools";
                    round.calls().forEach(call -> calls.add(call + call.arguments()));
                    round.issues().forEach(issue -> issues.add(issue + issue.arguments()));
                    round.commit(DeskTools.repliesTo(round));
                }
            }
        } catch (BelayException e) {
            end = e.code();
        }
        return new Seen(end, calls, issues, transcript.messages(), transcript.usage(), pool.spent());
    }

    /** What the contract says of a message, written down again. */
    private static String end(ModelResponse said, boolean structured) {
        if (!said.calls().isEmpty()) {
            return "needs tools";
        }
        if (said.finish() == FinishReason.LENGTH) {
            return "output_limit";
        }
        if (said.refusal().isPresent() || said.finish() == FinishReason.REFUSAL
                || said.finish() == FinishReason.CONTENT_FILTER) {
            return "refused";
        }
        String text = said.text();
        if (text.isBlank()) {
            return "empty_reply";
        }
        if (!structured) {
            return "finished " + text;
        }
        return switch (text.strip()) {
            case "{\"name\":\"Ann\",\"room\":7}" -> "finished Guest[name=Ann, room=7]";
            case "```json\n{\"name\":\"Bo\",\"room\":1}\n```" -> "finished Guest[name=Bo, room=1]";
            default -> "invalid_structured_output";
        };
    }

    private static ModelResponse response(Random random) {
        List<AssistantPart> parts = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            String text = TEXTS.get(random.nextInt(TEXTS.size()));
            parts.add(switch (random.nextInt(6)) {
                case 0 -> new ReasoningPart(text);
                case 1 -> new RefusalPart(text);
                default -> new TextPart(text);
            });
        }
        for (int left = random.nextBoolean() ? 0 : random.nextInt(12); left > 0; left--) {
            String id = random.nextInt(3) == 0 ? "" : "c" + random.nextInt(8);
            parts.add(new CallPart(id, NAMES.get(random.nextInt(NAMES.size())),
                    ARGUMENTS.get(random.nextInt(ARGUMENTS.size()))));
        }
        NativePayload payload = random.nextBoolean()
                ? null
                : new NativePayload("acme", Json.number(random.nextInt()));
        Usage usage = switch (random.nextInt(3)) {
            case 0 -> Usage.NONE;
            case 1 -> Usage.NONE.withOutput(random.nextInt(100));
            default -> Usage.of(random.nextInt(100), random.nextInt(100));
        };
        return new ModelResponse(new AssistantMessage(parts, payload),
                FINISHES.get(random.nextInt(FINISHES.size())),
                usage, "m", "r");
    }

    /** The content and every call as streams of their own, each cut anywhere, mixed in any way. */
    private static List<ModelEvent> stream(ModelResponse said, Random random,
            Function<String, List<String>> cut) {
        List<Deque<ModelEvent>> streams = new ArrayList<>();
        Deque<ModelEvent> content = new ArrayDeque<>();
        streams.add(content);
        int index = 0;
        for (AssistantPart part : said.message().parts()) {
            switch (part) {
                case TextPart(String text) -> cut.apply(text).forEach(it -> content.add(new TextDelta(it)));
                case ReasoningPart(String text) ->
                    cut.apply(text).forEach(it -> content.add(new ReasoningDelta(it)));
                case RefusalPart(String text) ->
                    cut.apply(text).forEach(it -> content.add(new RefusalDelta(it)));
                case CallPart(String id, String name, String arguments) -> {
                    int at = index++;
                    Deque<ModelEvent> call = new ArrayDeque<>(List.of(new CallStarted(at, id, name)));
                    cut.apply(arguments).forEach(it -> call.add(new CallArguments(at, it)));
                    streams.add(call);
                }
            }
        }
        if (!said.usage().equals(Usage.NONE)) {
            streams.add(new ArrayDeque<>(List.of(new ModelEvent.UsageReported(said.usage()))));
        }
        List<ModelEvent> events = new ArrayList<>(
                List.of(new ModelEvent.Started(said.model(), said.responseId())));
        streams.removeIf(Deque::isEmpty);
        while (!streams.isEmpty()) {
            events.add(streams.get(random.nextInt(streams.size())).removeFirst());
            streams.removeIf(Deque::isEmpty);
        }
        events.add(new ModelEvent.Finished(said.finish(), said.message().nativePayload()));
        return events;
    }

    private static List<String> cut(String text, Random random) {
        List<String> chunks = new ArrayList<>();
        for (int start = 0; start < text.length();) {
            int end = Math.min(text.length(), start + random.nextInt(5));
            chunks.add(text.substring(start, end));
            start = end;
        }
        return chunks;
    }
}
