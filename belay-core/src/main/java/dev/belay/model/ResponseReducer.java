package dev.belay.model;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts the events of one answer together. The rule of order: the content (text, reasoning, refusal) is one stream, every
 * call is a stream of its own. Content keeps its order, neighbours of one kind become one part, and an event of a call
 * between them does not separate them. The calls follow, by index as a number (10 after 2). So the response does not depend
 * on where chunks were cut, nor on how the streams were mixed.
 *
 * <p>Events that no answer can consist of are a {@link ModelException.Kind#PROTOCOL} with what had arrived; the offending
 * event changes nothing. Confined to one call.
 */
public final class ResponseReducer {

    private final List<Content> content = new ArrayList<>();
    private final SortedMap<Integer, OpenCall> calls = new TreeMap<>();
    private Usage usage = Usage.NONE;
    private @Nullable Started started;
    private @Nullable Finished finished;

    private enum Kind {
        TEXT, REASONING, REFUSAL
    }

    private record Content(Kind kind, StringBuilder text) {

        AssistantPart part() {
            return switch (kind) {
                case TEXT -> new TextPart(text.toString());
                case REASONING -> new ReasoningPart(text.toString());
                case REFUSAL -> new RefusalPart(text.toString());
            };
        }
    }

    private record OpenCall(CallStarted start, StringBuilder arguments) {}

    /** Starts with nothing. */
    public ResponseReducer() {}

    /**
     * Puts all events of one answer together.
     *
     * @param events from started to finished
     * @throws ModelException if they are not the events of one whole answer
     */
    public static ModelResponse reduce(List<ModelEvent> events) {
        ResponseReducer reducer = new ResponseReducer();
        events.forEach(reducer::accept);
        return reducer.finish();
    }

    /**
     * Takes the next event.
     *
     * @param event in the order heard
     * @throws ModelException if no answer can go on like this
     */
    public void accept(ModelEvent event) {
        if (finished != null) {
            throw broken("the model sent " + event + " after the answer was finished");
        }
        if (started == null && !(event instanceof Started)) {
            throw broken("the model sent " + event + " before the answer was started");
        }
        switch (event) {
            case Started start -> start(start);
            case TextDelta(String chunk) -> append(Kind.TEXT, chunk);
            case ReasoningDelta(String chunk) -> append(Kind.REASONING, chunk);
            case RefusalDelta(String chunk) -> append(Kind.REFUSAL, chunk);
            case CallStarted call -> open(call);
            case CallArguments(int index, String chunk) -> call(index).arguments().append(chunk);
            case UsageReported(Usage report) -> usage = usage.merge(report);
            case Finished finish -> finished = finish;
        }
    }

    /**
     * What is known so far, for those who must report a failure; empty before the answer was started. The finish reason is
     * {@link FinishReason#OTHER} as long as it is not known.
     */
    public Optional<ModelResponse> partial() {
        return Optional.ofNullable(started).map(this::response);
    }

    /**
     * The whole answer; may be asked again.
     *
     * @throws ModelException if the model has not said that it is finished
     */
    public ModelResponse finish() {
        if (started == null) {
            throw broken("the stream just ended: the answer was never started");
        }
        if (finished == null) {
            throw broken("the stream just ended: the answer was never finished");
        }
        return response(started);
    }

    private void start(Started start) {
        if (started != null) {
            throw broken("the model sent " + start + " though the answer was started already by " + started);
        }
        started = start;
    }

    private void append(Kind kind, String chunk) {
        if (chunk.isEmpty()) {
            return;
        }
        if (content.isEmpty() || content.getLast().kind() != kind) {
            content.add(new Content(kind, new StringBuilder()));
        }
        content.getLast().text().append(chunk);
    }

    private void open(CallStarted call) {
        if (calls.containsKey(call.index())) {
            throw broken("the model sent " + call + " though a call with this index was started already");
        }
        calls.put(call.index(), new OpenCall(call, new StringBuilder()));
    }

    private OpenCall call(int index) {
        OpenCall call = calls.get(index);
        if (call == null) {
            throw broken("the model sent arguments for call " + index + ", but the calls started are "
                    + calls.keySet());
        }
        return call;
    }

    private ModelResponse response(Started start) {
        List<AssistantPart> parts = new ArrayList<>();
        content.forEach(piece -> parts.add(piece.part()));
        calls.values()
                .forEach(
                        call -> parts.add(new CallPart(call.start().id(), call.start().name(),
                                call.arguments().toString())));
        NativePayload payload = finished == null ? null : finished.nativePayload();
        FinishReason reason = finished == null ? FinishReason.OTHER : finished.reason();
        return new ModelResponse(new AssistantMessage(parts, payload), reason, usage, start.model(),
                start.responseId());
    }

    private ModelException broken(String problem) {
        ModelException exception = new ModelException(ModelException.Kind.PROTOCOL, problem);
        return partial().map(exception::withPartial).orElse(exception);
    }
}
