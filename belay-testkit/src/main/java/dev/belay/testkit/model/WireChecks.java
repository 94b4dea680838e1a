package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** The base of all checks over the wire: a server, answers to play, and ways to ask. */
@Timeout(60)
abstract class WireChecks {

    static final String ID = "answer-1";
    static final Usage USAGE = Usage.of(11, 7);
    static final ModelRequest QUESTION = ModelRequest.of(Message.user("What is the weather?"));
    static final ToolSpec WEATHER = new ToolSpec("weather", "Tells the weather.",
            Json.of("{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}"));
    static final ToolSpec CLOCK = new ToolSpec("clock", "Tells the time.",
            Json.of("{\"type\":\"object\",\"properties\":{}}"));

    final WireServer server = WireServer.start();

    WireChecks() {}

    /** The protocol to be checked. Called again for every test. */
    protected abstract ModelFixture fixture();

    @AfterEach
    void stopServer() {
        server.close();
    }

    ClientSetup setup() {
        return ClientSetup.of(server.url());
    }

    Model model() {
        return fixture().model(setup());
    }

    /** Plays an answer and reads it with the default client. */
    Heard hear(WireAnswer answer) {
        server.play(answer);
        return ask(model(), QUESTION);
    }

    /** Plays a stream and reads it with the default client. */
    Heard hear(List<ModelEvent> events) {
        return hear(WireAnswer.stream(fixture().stream(events)));
    }

    static Heard ask(Model model, ModelRequest request) {
        List<ModelEvent> events = new ArrayList<>();
        ModelResponse response = model.complete(request, events::add);
        return new Heard(response, events);
    }

    static ModelException failureOf(Model model) {
        return failureOf(model, QUESTION);
    }

    static ModelException failureOf(Model model, ModelRequest request) {
        ModelException failure = catchThrowableOfType(ModelException.class, () -> model.complete(request));
        assertThat(failure).as("the call should have failed").isNotNull();
        return failure;
    }

    /** The events of a whole answer around the given ones. */
    List<ModelEvent> answer(FinishReason reason, ModelEvent... between) {
        List<ModelEvent> events = new ArrayList<>();
        events.add(new Started(ClientSetup.MODEL, ID));
        events.addAll(Arrays.asList(between));
        events.add(new UsageReported(USAGE));
        events.add(new Finished(reason, null));
        return events;
    }

    /** The events of an answer of text. */
    List<ModelEvent> saying(String... chunks) {
        return answer(FinishReason.STOP,
                Arrays.stream(chunks).map(TextDelta::new).toArray(ModelEvent[]::new));
    }

    WireAnswer words(String... chunks) {
        return WireAnswer.stream(fixture().stream(saying(chunks)));
    }

    /** An answer that has begun and is not finished. */
    List<ModelEvent> begun(String... chunks) {
        List<ModelEvent> events = saying(chunks);
        return events.subList(0, events.size() - 2);
    }

    void needs(ModelFixture.Feature feature) {
        assumeTrue(fixture().features().contains(feature),
                () -> fixture().getClass().getSimpleName() + " says that its protocol has no " + feature);
    }

    static List<String> texts(List<ModelEvent> events) {
        return events.stream()
                .filter(TextDelta.class::isInstance)
                .map(event -> ((TextDelta) event).chunk())
                .filter(chunk -> !chunk.isEmpty())
                .toList();
    }
}
