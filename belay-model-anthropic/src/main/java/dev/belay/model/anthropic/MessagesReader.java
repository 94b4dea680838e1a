package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelException;
import dev.belay.model.NativePayload;
import dev.belay.model.Usage;
import dev.belay.model.http.AnswerReader;
import dev.belay.model.http.ArrivingAnswer;
import dev.belay.model.http.ServerEvent;
import dev.belay.model.http.WireRequest;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer of Messages. The provider pauses an answer in which its own tools work long; the next request carries what has
 * arrived, and its answer continues with further blocks. A whole answer is read as if its blocks had been streamed, so both give the same response. The
 * blocks are kept as the native payload: thoughts with their signatures, hidden thoughts, calls and unknown kinds. Confined to one
 * answer.
 *
 * <p>Some servers send blocks and the stop reason with the first event. These blocks count where no streamed block has their
 * number; that stop reason ends an answer without a last event only if nothing was streamed.
 */
final class MessagesReader implements AnswerReader {

    /** An answer that pauses more often does not come to its end. */
    private static final int MOST_PAUSES = 10;
    private static final Json REFUSED = Json.of("{\"type\":\"refusal\"}");

    /** Makes the request that goes on behind these blocks. */
    private final Function<NativePayload, WireRequest> onward;
    /** The blocks before the last pause. */
    private final List<Json> before = new ArrayList<>();
    private int pauses;
    /** The number of the first block behind the last pause. */
    private int first;

    private final SortedMap<Integer, ContentBlock> blocks = new TreeMap<>();
    private final WireUsage usage = new WireUsage();
    private Usage reported = Usage.NONE;
    private @Nullable String id;
    /** The blocks of the first event. */
    private List<Json> early = List.of();
    private @Nullable Json container;
    private @Nullable Json details;
    private @Nullable FinishReason reason;
    private boolean paused;
    /** Whether the stop reason came in its place, after the blocks. */
    private boolean stopped;
    private boolean streamed;

    MessagesReader(Function<NativePayload, WireRequest> onward) {
        this.onward = onward;
    }

    @Override
    public void event(ServerEvent event, ArrivingAnswer answer) {
        Json data = event.json();
        switch (WireFields.type(data)) {
            case "message_start" ->
                WireFields.field(data, "message").ifPresent(message -> start(message, answer));
            case "content_block_start" -> {
                streamed = true;
                takeEarly(index(data), answer);
                block(index(data), WireFields.field(data, "content_block").orElse(Json.EMPTY_OBJECT), answer);
            }
            case "content_block_delta" ->
                delta(index(data), WireFields.field(data, "delta").orElse(Json.EMPTY_OBJECT), answer);
            case "message_delta" -> {
                stopped |= WireFields.field(data, "delta").filter(this::stop).isPresent();
                report(data, answer);
            }
            case "message_stop" -> {
                if (reason == null) {
                    throw broken("the end of an answer without a stop reason");
                }
                finish(reason, answer);
            }
            default -> {
            } // ping, content_block_stop, and unknown events
        }
    }

    @Override
    public void whole(Json body, ArrivingAnswer answer) {
        if (WireFields.field(body, "content")
                .filter(content -> content.kind() == Json.Kind.ARRAY)
                .isPresent()) {
            start(body, answer);
            takeEarly(early.size(), answer);
            stopped = reason != null;
        }
    }

    /** Some servers leave out the last event after they sent the stop reason. */
    @Override
    public void end(ArrivingAnswer answer) {
        if (reason != null && (stopped || (!streamed && !early.isEmpty()))) {
            finish(reason, answer);
        }
    }

    private void start(Json message, ArrivingAnswer answer) {
        String named = WireFields.text(message, "id");
        if (id == null) {
            id = named;
            if (!answer.isStarted()) {
                answer.tell(new Started(WireFields.text(message, "model"), id));
            }
        } else if (!named.equals(id)) {
            throw broken("the start of answer \"" + named + "\" inside answer \"" + id + "\"");
        }
        if (early.isEmpty()) {
            early = WireFields.items(message, "content");
        }
        stop(message);
        report(message, answer);
    }

    /** Tells the blocks of the first event before a number, unless they were streamed. */
    private void takeEarly(int before, ArrivingAnswer answer) {
        for (int i = 0; i < Math.min(before, early.size()); i++) {
            if (!blocks.containsKey(i)) {
                block(i, early.get(i), answer);
            }
        }
    }

    private void block(int index, Json start, ArrivingAnswer answer) {
        WireFields.requireType(start);
        ContentBlock block = new ContentBlock(start);
        if (blocks.put(index, block) != null) {
            throw broken("two blocks with the number " + index);
        }
        switch (WireFields.type(start)) {
            case "text" -> tellText(WireFields.text(start, "text"), answer);
            case "thinking" -> tellThought(WireFields.text(start, "thinking"), answer);
            case "tool_use" ->
                answer.tell(
                        new CallStarted(first + index, WireFields.text(start, "id"),
                                WireFields.text(start, "name")));
            default -> {
            } // kept in the native payload
        }
    }

    private void delta(int index, Json delta, ArrivingAnswer answer) {
        takeEarly(index + 1, answer);
        ContentBlock block = blocks.get(index);
        if (block == null) {
            throw broken("a piece of block " + index + ", which never began");
        }
        block.add(delta);
        switch (WireFields.type(delta)) {
            case "text_delta" -> tellText(WireFields.text(delta, "text"), answer);
            case "thinking_delta" -> tellThought(WireFields.text(delta, "thinking"), answer);
            case "input_json_delta" -> {
                String chunk = WireFields.text(delta, "partial_json");
                if (block.isCall() && !chunk.isEmpty()) {
                    answer.tell(new CallArguments(first + index, chunk));
                }
            }
            default -> {
            } // kept in the native payload
        }
    }

    private static void tellText(String chunk, ArrivingAnswer answer) {
        if (!chunk.isEmpty()) {
            answer.tell(new TextDelta(chunk));
        }
    }

    private static void tellThought(String chunk, ArrivingAnswer answer) {
        if (!chunk.isEmpty()) {
            answer.tell(new ReasoningDelta(chunk));
        }
    }

    /** Notes the stop reason with its details and the container; whether there is a reason. */
    private boolean stop(Json delta) {
        container = WireFields.field(delta, Conversation.CONTAINER).orElse(container);
        details = WireFields.field(delta, Conversation.STOP_DETAILS).orElse(details);
        String said = WireFields.reason(delta, "stop_reason");
        if (!said.isEmpty()) {
            paused = said.equals("pause_turn");
            reason = switch (said) {
                case "end_turn", "stop_sequence" -> FinishReason.STOP;
                case "max_tokens", "model_context_window_exceeded" -> FinishReason.LENGTH;
                case "tool_use" -> FinishReason.TOOL_CALLS;
                case "refusal" -> FinishReason.REFUSAL;
                default -> FinishReason.OTHER; // unknown reasons
            };
        }
        return !said.isEmpty();
    }

    private void report(Json holder, ArrivingAnswer answer) {
        WireFields.field(holder, "usage").ifPresent(usage::report);
        Usage sum = usage.sum();
        if (!sum.equals(reported)) {
            reported = sum;
            answer.tell(new UsageReported(sum));
        }
    }

    private void finish(FinishReason why, ArrivingAnswer answer) {
        takeEarly(early.size(), answer);
        blocks.forEach((index, block) -> {
            String arguments = block.isCall() ? block.unheardArguments() : "";
            // {} of a cut call may be the start of arguments that did not arrive
            if (!arguments.isEmpty() && (why != FinishReason.LENGTH || !arguments.equals("{}"))) {
                answer.tell(new CallArguments(first + index, arguments));
            }
        });
        blocks.values()
                .stream()
                .filter(block -> !block.isEmptyText())
                .map(ContentBlock::whole)
                .forEach(before::add);
        NativePayload payload = Conversation.payload(before, notes(why));
        if (paused && !before.isEmpty() && blocks.values().stream().noneMatch(ContentBlock::isCall)) {
            goOn(Objects.requireNonNull(payload, "payload"), answer);
            return;
        }
        if (why == FinishReason.REFUSAL && details != null) {
            tellRefusal(details, answer);
        }
        answer.tell(new Finished(why, payload));
    }

    private void goOn(NativePayload payload, ArrivingAnswer answer) {
        if (++pauses > MOST_PAUSES) {
            throw broken("more than " + MOST_PAUSES
                    + " pauses in one answer; bound the uses of the provider's tools, for example with \"max_uses\"")
                    .asSettled();
        }
        first += blocks.isEmpty() ? 0 : blocks.lastKey() + 1;
        blocks.clear();
        early = List.of();
        id = null;
        reason = null;
        stopped = false;
        streamed = false;
        usage.nextPart();
        answer.goOnWith(onward.apply(payload));
    }

    /** The provider's words: the category of the refusal and its explanation, as far as it gives them. */
    private static void tellRefusal(Json details, ArrivingAnswer answer) {
        String words = Stream.of("category", "explanation")
                .map(name -> WireFields.text(details, name))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(": "));
        if (!words.isEmpty()) {
            answer.tell(new RefusalDelta(words));
        }
    }

    private Map<String, Json> notes(FinishReason why) {
        Map<String, Json> notes = new LinkedHashMap<>();
        if (container != null) {
            notes.put(Conversation.CONTAINER, container);
        }
        if (why == FinishReason.REFUSAL) {
            notes.put(Conversation.STOP_DETAILS, Objects.requireNonNullElse(details, REFUSED));
        }
        List<Json> iterations = usage.iterationsOfModels();
        if (!iterations.isEmpty()) {
            notes.put(Conversation.ITERATIONS, Json.array(iterations));
        }
        return notes;
    }

    private static int index(Json data) {
        return WireFields.index(data, "index")
                .orElseThrow(() -> broken("an event of a block without its number"));
    }

    private static ModelException broken(String what) {
        return new ModelException(ModelException.Kind.PROTOCOL, "the model sent " + what);
    }
}
