package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.MessageJson;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.ResponseReducer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks answers that are spoiled at random, with fixed seeds. Whatever arrives, the caller gets an answer that equals its events,
 * can be stored and sent back, or a {@link ModelException} with exactly what had arrived. The system property {@code belay.fuzz} sets how many are played.
 */
abstract class SpoiledStreamChecks extends ConnectionChecks {

    private static final String RUNS = "belay.fuzz";
    private static final int USUAL_RUNS = 1_000;
    private static final int MOST_SECONDS = 1_200;

    SpoiledStreamChecks() {}

    @Test
    @Timeout(MOST_SECONDS)
    void aSpoiledStreamIsAnAnswerOrATypedFailure() {
        Model model = model();
        List<List<String>> streams = streams();
        List<String> noise = List.of("data:\n\n", ": noise\n\n", "data: [DONE]\n\n", "data: {}\n\n",
                "data: [1]\n\n",
                "event: error\ndata: zebra\n\n", "data: {\"detail\":\"zebra\"}\n\n", "{\"error\":1}\n\n",
                fixture().unknownEvent(), fixture().overloadedEvent());
        int answers = 0;
        int runs = runs();
        for (long seed = 0; seed < runs; seed++) {
            Random random = new Random(seed);
            List<String> spoiled = new SpoiledStream(noise, random)
                    .spoil(streams.get(random.nextInt(streams.size())));
            server.play(WireAnswer.stream(spoiled));
            String what = "seed " + seed + ": " + String.join("", spoiled);
            ModelResponse response = heard(model, what);
            if (response != null) {
                answers++;
                goesOn(model, response.message().withCallIds(1), what);
            }
        }
        assertThat(answers).as("answers in spite of faults").isBetween(runs / 10, runs * 9 / 10);
    }

    @Test
    @Timeout(MOST_SECONDS)
    void aSpoiledAnswerInOnePieceIsAnAnswerOrATypedFailure() {
        Model model = fixture().model(setup().whole());
        String whole = fixture().whole(ResponseReducer.reduce(mixed()));
        for (long seed = 0; seed < runs() / 3; seed++) {
            SpoiledStream spoiler = new SpoiledStream(List.of(), new Random(seed));
            String spoiled = spoiler.spoil(spoiler.spoil(whole));
            server.play(WireAnswer.json(spoiled));
            heard(model, "seed " + seed + ": " + spoiled);
        }
    }

    /** Wherever a stream is cut, the caller gets the whole answer (only the end of the stream was lost) or a failure. */
    @Test
    @Timeout(MOST_SECONDS)
    void aCutStreamIsNeverTakenForAWholeOne() {
        Model model = model();
        List<List<String>> streams = streams();
        for (long seed = 0; seed < runs() / 3; seed++) {
            Random random = new Random(seed);
            List<String> events = streams.get(random.nextInt(streams.size()));
            server.play(WireAnswer.stream(events));
            ModelResponse whole = heard(model, "uncut: " + events);
            String all = String.join("", events);
            String cut = all.substring(0, random.nextInt(all.length()));
            server.play(WireAnswer.stream(List.of(cut)));
            ModelResponse response = heard(model, "seed " + seed + ": " + cut);
            if (response != null && whole != null) {
                assertThat(response.message()).as("seed %d: %s", seed, cut).isEqualTo(whole.message());
                assertThat(response.finish()).as("seed %d: %s", seed, cut).isEqualTo(whole.finish());
            }
        }
    }

    /** Whatever an answer holds, the conversation goes on after it. */
    private void goesOn(Model model, AssistantMessage said, String what) {
        if (said.parts().isEmpty()) {
            return; // no request takes it
        }
        Message next = said.calls().isEmpty()
                ? Message.user("Go on.")
                : new ToolMessage(said.calls()
                        .stream()
                        .map(call -> new ReplyPart(call.id(), call.name(), ReplyPart.Status.OK, "ok"))
                        .toList());
        server.play(words("ok"));
        assertThat(model.complete(ModelRequest.of(QUESTION.messages().getFirst(), said, next)).text())
                .as(what)
                .isEqualTo("ok");
    }

    private List<List<String>> streams() {
        List<List<String>> streams = new ArrayList<>(fixture().recorded());
        streams.add(fixture().stream(mixed()));
        streams.add(fixture().stream(saying("Hi ", "there \ud83d\ude00")));
        return streams;
    }

    /** The answer; null if it is a failure as it should be. */
    private static @Nullable ModelResponse heard(Model model, String what) {
        List<ModelEvent> events = new ArrayList<>();
        try {
            ModelResponse response = model.complete(QUESTION, events::add);
            assertThat(ResponseReducer.reduce(events)).as(what).isEqualTo(response);
            assertThat(MessageJson.response(Json.of(MessageJson.of(response).text()))).as(what)
                    .isEqualTo(response);
            return response;
        } catch (ModelException failure) {
            assertThat(isFaultOfTheAnswer(failure)).as("%s: %s", what, failure).isTrue();
            ResponseReducer arrived = new ResponseReducer();
            events.forEach(arrived::accept);
            assertThat(failure.partial()).as(what).isEqualTo(arrived.partial());
            return null;
        } catch (RuntimeException untyped) {
            throw new AssertionError(what, untyped);
        }
    }

    /** Whether what arrived explains a failure; any other exception under it is a mistake of the reader. */
    static boolean isFaultOfTheAnswer(ModelException failure) {
        Throwable cause = failure.getCause();
        return cause == null || cause instanceof JsonException || cause instanceof IOException;
    }

    private static int runs() {
        return Integer.getInteger(RUNS, USUAL_RUNS);
    }
}
