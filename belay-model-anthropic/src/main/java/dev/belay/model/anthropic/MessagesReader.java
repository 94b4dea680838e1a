package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelException;
import dev.belay.model.NativePayload;
import dev.belay.model.Usage;
import dev.belay.model.http.AnswerReader;
import dev.belay.model.http.ArrivingAnswer;
import dev.belay.model.http.ServerEvent;
import dev.belay.model.http.wire.WireFields;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer of Messages. A whole answer is read as if its blocks had been streamed, so both give the same response. The
 * blocks are kept as the native payload: thoughts with their signatures, hidden thoughts, calls and unknown kinds. Confined to one
 * answer.
 */
final class MessagesReader implements AnswerReader {

    private final Map<Integer, ContentBlock> blocks = new TreeMap<>();
    private final WireUsage usage = new WireUsage();
    private Usage reported = Usage.NONE;
    private @Nullable FinishReason reason;

    @Override
    public void event(ServerEvent event, ArrivingAnswer answer) {
        Json data = Json.of(event.data());
        switch (WireFields.type(data)) {
            case "message_start" -> data.get("message").ifPresent(message -> start(message, answer));
            case "content_block_start" ->
                block(index(data), data.get("content_block").orElse(Json.EMPTY_OBJECT), answer);
            case "content_block_delta" ->
                delta(index(data), data.get("delta").orElse(Json.EMPTY_OBJECT), answer);
            case "message_delta" -> {
                data.get("delta").ifPresent(this::stop);
                report(data, answer);
            }
            case "message_stop" -> finish(answer);
            case "error" -> throw answer.failure(data);
            default -> {
            } // ping, content_block_stop, and unknown events
        }
    }

    @Override
    public void whole(Json body, ArrivingAnswer answer) {
        start(body, answer);
        List<Json> content = WireFields.items(body, "content");
        for (int i = 0; i < content.size(); i++) {
            block(i, content.get(i), answer);
        }
        stop(body);
        finish(answer);
    }

    /** Some servers leave out the last event after they sent the stop reason. */
    @Override
    public void end(ArrivingAnswer answer) {
        if (reason != null) {
            finish(answer);
        }
    }

    private void start(Json message, ArrivingAnswer answer) {
        answer.tell(new Started(WireFields.text(message, "model"), WireFields.text(message, "id")));
        report(message, answer);
    }

    private void block(int index, Json start, ArrivingAnswer answer) {
        ContentBlock block = new ContentBlock(start);
        if (blocks.put(index, block) != null) {
            throw broken("two blocks with the number " + index);
        }
        switch (WireFields.type(start)) {
            case "text" -> tellText(WireFields.text(start, "text"), answer);
            case "thinking" -> tellThought(WireFields.text(start, "thinking"), answer);
            case "tool_use" ->
                answer.tell(
                        new CallStarted(index, WireFields.text(start, "id"), WireFields.text(start, "name")));
            default -> {
            } // kept in the native payload
        }
    }

    private void delta(int index, Json delta, ArrivingAnswer answer) {
        ContentBlock block = blocks.get(index);
        if (block == null) {
            throw broken("a piece of block " + index + ", which never began");
        }
        switch (WireFields.type(delta)) {
            case "text_delta" -> {
                block.append(WireFields.text(delta, "text"));
                tellText(WireFields.text(delta, "text"), answer);
            }
            case "thinking_delta" -> {
                block.append(WireFields.text(delta, "thinking"));
                tellThought(WireFields.text(delta, "thinking"), answer);
            }
            case "input_json_delta" -> {
                String chunk = WireFields.text(delta, "partial_json");
                block.append(chunk);
                if (block.isCall() && !chunk.isEmpty()) {
                    answer.tell(new CallArguments(index, chunk));
                }
            }
            case "signature_delta" -> block.sign(WireFields.text(delta, "signature"));
            case "citations_delta" -> delta.get("citation").ifPresent(block::cite);
            default -> {
            }
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

    private void stop(Json delta) {
        String said = WireFields.text(delta, "stop_reason");
        if (!said.isEmpty()) {
            reason = switch (said) {
                case "end_turn", "stop_sequence" -> FinishReason.STOP;
                case "max_tokens", "model_context_window_exceeded" -> FinishReason.LENGTH;
                case "tool_use" -> FinishReason.TOOL_CALLS;
                case "refusal" -> FinishReason.REFUSAL;
                default -> FinishReason.OTHER; // pause_turn, and unknown reasons
            };
        }
    }

    private void report(Json holder, ArrivingAnswer answer) {
        WireFields.field(holder, "usage").ifPresent(usage::report);
        Usage sum = usage.sum();
        if (!sum.equals(reported)) {
            reported = sum;
            answer.tell(new UsageReported(sum));
        }
    }

    private void finish(ArrivingAnswer answer) {
        FinishReason why = reason == null ? FinishReason.OTHER : reason;
        blocks.forEach((index, block) -> {
            String arguments = block.isCall() ? block.unheardArguments() : "";
            // {} of a cut call may be the start of arguments that did not arrive
            if (!arguments.isEmpty() && (why != FinishReason.LENGTH || !arguments.equals("{}"))) {
                answer.tell(new CallArguments(index, arguments));
            }
        });
        List<Json> whole = blocks.values()
                .stream()
                .filter(block -> !block.isEmptyText())
                .map(ContentBlock::whole)
                .toList();
        answer.tell(new Finished(why,
                whole.isEmpty() ? null : new NativePayload(Conversation.PROVIDER, Json.array(whole))));
    }

    private static int index(Json data) {
        return data.get("index")
                .map(Json::asInt)
                .orElseThrow(() -> broken("an event of a block without its number"));
    }

    private static ModelException broken(String what) {
        return new ModelException(ModelException.Kind.PROTOCOL, "the model sent " + what);
    }
}
