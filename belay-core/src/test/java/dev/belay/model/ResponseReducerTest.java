package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseReducerTest {

    private static final Started START = new Started("m-1", "r-1");
    private static final Finished STOP = new Finished(FinishReason.STOP, null);

    @Test
    void everyKindOfEventEndsInTheResponse() {
        NativePayload payload = new NativePayload("p", Json.of("{\"sig\":\"x\"}"));
        ModelResponse response = ResponseReducer.reduce(List.of(START,
                new UsageReported(Usage.NONE.withInput(9)),
                new ReasoningDelta("hm"), new TextDelta("Hel"), new TextDelta(""), new TextDelta("lo"),
                new RefusalDelta("no"), new CallStarted(0, "c", "f"), new CallArguments(0, "{\"a\""),
                new CallArguments(0, ":1}"), new UsageReported(Usage.NONE.withOutput(4)),
                new Finished(FinishReason.TOOL_CALLS, payload)));
        assertThat(response).isEqualTo(new ModelResponse(
                new AssistantMessage(
                        List.of(new ReasoningPart("hm"), new TextPart("Hello"), new RefusalPart("no"),
                                new CallPart("c", "f", "{\"a\":1}")),
                        payload),
                FinishReason.TOOL_CALLS, Usage.of(9, 4), "m-1", "r-1"));
        assertThat(response.text()).isEqualTo("Hello");
        assertThat(response.refusal()).contains("no");
        assertThat(response.calls()).containsExactly(new CallPart("c", "f", "{\"a\":1}"));
    }

    @Test
    void callsAreOrderedByNumberNotByText() {
        List<ModelEvent> events = new ArrayList<>(List.of(START));
        for (int index : new int[]{10, 2, 0}) {
            events.add(new CallStarted(index, "c" + index, "f"));
        }
        events.add(new CallArguments(2, "two"));
        events.add(new CallArguments(10, "ten"));
        events.add(STOP);
        assertThat(ResponseReducer.reduce(events).calls()).containsExactly(new CallPart("c0", "f", ""),
                new CallPart("c2", "f", "two"), new CallPart("c10", "f", "ten"));
    }

    @Test
    void callEventsDoNotSeparateText() {
        assertThat(ResponseReducer
                .reduce(List.of(START, new TextDelta("a"), new CallStarted(0, "c", "f"), new TextDelta("b"),
                        STOP))
                .message()).isEqualTo(Message.assistant(new TextPart("ab"), new CallPart("c", "f", "")));
    }

    @Test
    void anEmptyAnswerIsAnAnswer() {
        assertThat(ResponseReducer.reduce(List.of(START, new TextDelta(""), STOP)).message().parts())
                .isEmpty();
    }

    @Test
    void theStreamJustEnded() {
        ModelException error = protocolError(
                List.of(START, new TextDelta("Hel"), new UsageReported(Usage.of(3, 1))));
        assertThat(error).hasMessage("the stream just ended: the answer was never finished");
        assertThat(error.partial()).contains(
                new ModelResponse(Message.assistant("Hel"), FinishReason.OTHER, Usage.of(3, 1), "m-1",
                        "r-1"));
        assertThat(protocolError(List.of()))
                .hasMessage("the stream just ended: the answer was never started");
    }

    @Test
    void eventsAfterTheEndAreRefused() {
        ModelException error = protocolError(List.of(START, STOP, new TextDelta("x")));
        assertThat(error).hasMessageContaining("TextDelta[chunk=x] after the answer was finished");
        assertThat(error.partial().orElseThrow().finish()).isEqualTo(FinishReason.STOP);
        assertThat(protocolError(List.of(START, STOP, STOP)))
                .hasMessageContaining("after the answer was finished");
    }

    @Test
    void startedComesFirstAndOnce() {
        ModelException early = protocolError(List.of(new TextDelta("x")));
        assertThat(early).hasMessageContaining("before the answer was started");
        assertThat(early.partial()).isEmpty();
        assertThat(protocolError(List.of(START, new Started("m-2", ""))))
                .hasMessageContaining("started already by")
                .hasMessageContaining("m-1");
    }

    @Test
    void argumentsNeedTheirCall() {
        assertThat(protocolError(List.of(START, new CallStarted(0, "c", "f"), new CallArguments(1, "{}"))))
                .hasMessageContaining("arguments for call 1, but the calls started are [0]");
    }

    @Test
    void aCallStartsOnce() {
        assertThat(protocolError(List.of(START, new CallStarted(0, "c", "f"), new CallStarted(0, "d", "g"))))
                .hasMessageContaining("index was started already");
    }

    @Test
    void anOffendingEventChangesNothing() {
        ResponseReducer reducer = new ResponseReducer();
        reducer.accept(START);
        reducer.accept(new CallStarted(0, "c", "f"));
        assertThatThrownBy(() -> reducer.accept(new CallStarted(0, "d", "g")))
                .isInstanceOf(ModelException.class);
        assertThatThrownBy(() -> reducer.accept(new Started("m-2", "r-2")))
                .isInstanceOf(ModelException.class);
        reducer.accept(STOP);
        assertThat(reducer.finish().model()).isEqualTo("m-1");
        assertThat(reducer.finish().calls()).containsExactly(new CallPart("c", "f", ""));
    }

    @Test
    void partialGrowsWithTheAnswer() {
        ResponseReducer reducer = new ResponseReducer();
        assertThat(reducer.partial()).isEmpty();
        reducer.accept(START);
        assertThat(reducer.partial().orElseThrow().message().parts()).isEmpty();
        reducer.accept(new TextDelta("a"));
        ModelResponse first = reducer.partial().orElseThrow();
        reducer.accept(new TextDelta("b"));
        assertThat(first.text()).isEqualTo("a");
        assertThat(reducer.partial().orElseThrow().text()).isEqualTo("ab");
    }

    @Test
    void negativeIndicesAreRefused() {
        assertThatThrownBy(() -> new CallStarted(-1, "", "f")).hasMessageContaining("not -1");
        assertThatThrownBy(() -> new CallArguments(-1, "")).hasMessageContaining("not -1");
    }

    private static ModelException protocolError(List<ModelEvent> events) {
        ModelException error = catchThrowableOfType(ModelException.class,
                () -> ResponseReducer.reduce(events));
        assertThat(error.code()).isEqualTo("model_protocol");
        return error;
    }

    @Test
    void whateverAModelReturnsHasWholeCharacters() {
        var said = new ModelResponse(
                new AssistantMessage(List.of(new ReasoningPart("\ud800r"), new TextPart("t\udc00"),
                        new RefusalPart("\ud83d\ude00\ud83d"),
                        new CallPart("\ud800", "n\ud800", "{\"a\":\"\ud800\"}")),
                        new NativePayload("p\ud800", Json.NULL)),
                FinishReason.STOP, Usage.NONE, "m\ud800", "\udc00r");
        assertThat(said).isEqualTo(new ModelResponse(
                new AssistantMessage(List.of(new ReasoningPart("\ufffdr"), new TextPart("t\ufffd"),
                        new RefusalPart("\ud83d\ude00\ufffd"),
                        new CallPart("\ufffd", "n\ufffd", "{\"a\":\"\u0001\"}")),
                        new NativePayload("p\ufffd", Json.NULL)),
                FinishReason.STOP, Usage.NONE, "m\ufffd", "\ufffdr"));
    }
}
