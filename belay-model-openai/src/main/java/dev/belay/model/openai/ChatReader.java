package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.NativePayload;
import dev.belay.model.http.AnswerReader;
import dev.belay.model.http.ArrivingAnswer;
import dev.belay.model.http.ServerEvent;
import dev.belay.model.http.wire.WireFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer of Chat Completions. A whole message is read as a stream of one piece, so there is one path. The answer ends
 * with {@code [DONE]}, or with the stream if a finish reason has arrived: some servers leave the mark out.
 */
final class ChatReader implements AnswerReader {

    private static final String DONE = "[DONE]";
    /** The fields that hold the model's thoughts; only the first is read, as some servers send both. */
    private static final List<String> REASONING = List.of("reasoning_content", "reasoning");

    private final String asked;
    private final MergedMessage message = new MergedMessage();
    private final ChatCalls calls = new ChatCalls(message);
    private @Nullable Json exact;
    private @Nullable String reason;
    private boolean refused;

    ChatReader(String asked) {
        this.asked = asked;
    }

    @Override
    public void event(ServerEvent event, ArrivingAnswer answer) {
        if (event.data().strip().equals(DONE)) {
            finish(answer);
        } else if (!event.data().isBlank()) {
            chunk(Json.of(event.data()), "delta", answer);
        }
    }

    @Override
    public void whole(Json body, ArrivingAnswer answer) {
        exact = body.at("/choices/0/message").orElse(null);
        chunk(body, "message", answer);
    }

    @Override
    public void end(ArrivingAnswer answer) {
        if (reason != null) {
            finish(answer);
        }
    }

    private void chunk(Json chunk, String messageField, ArrivingAnswer answer) {
        if (chunk.kind() != Json.Kind.OBJECT) {
            return;
        }
        if (WireFields.field(chunk, "error").isPresent()) {
            throw answer.failure(chunk);
        }
        List<Json> choices = WireFields.items(chunk, "choices");
        if (choices.isEmpty() && WireFields.field(chunk, "usage").isEmpty()) {
            return; // an unknown kind of event
        }
        if (!answer.isStarted()) {
            String model = WireFields.text(chunk, "model");
            answer.tell(new Started(model.isEmpty() ? asked : model, WireFields.text(chunk, "id")));
        }
        if (!choices.isEmpty()) {
            Json choice = choices.getFirst();
            WireFields.field(choice, messageField).ifPresent(piece -> piece(piece, answer));
            WireFields.field(choice, "finish_reason").ifPresent(value -> reason = value.asString());
        }
        WireFields.field(chunk, "usage")
                .ifPresent(usage -> answer
                        .tell(new UsageReported(TokenUsage.of(usage, "prompt_tokens", "completion_tokens"))));
    }

    private void piece(Json piece, ArrivingAnswer answer) {
        message.add(piece);
        REASONING.stream()
                .map(name -> WireFields.text(piece, name))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .ifPresent(text -> answer.tell(new ReasoningDelta(text)));
        WireFields.field(piece, "content").ifPresent(content -> content(content, answer));
        String refusal = WireFields.text(piece, "refusal");
        if (!refusal.isEmpty()) {
            refused = true;
            answer.tell(new RefusalDelta(refusal));
        }
        for (Json call : WireFields.items(piece, "tool_calls")) {
            if (exact == null) {
                calls.add(call, answer);
            } else {
                calls.addWhole(call, answer);
            }
        }
    }

    /** Plain text; some servers send a list of parts, of which those with text are read. */
    private static void content(Json content, ArrivingAnswer answer) {
        if (content.kind() == Json.Kind.ARRAY) {
            content.items()
                    .stream()
                    .map(part -> WireFields.text(part, "text"))
                    .filter(text -> !text.isEmpty())
                    .forEach(text -> answer.tell(new TextDelta(text)));
        } else if (!content.asString().isEmpty()) {
            answer.tell(new TextDelta(content.asString()));
        }
    }

    private void finish(ArrivingAnswer answer) {
        if (!answer.isStarted()) {
            return; // an empty stream is no answer
        }
        calls.end(answer);
        Json said = exact == null ? message.json() : exact;
        answer.tell(new Finished(finishReason(), new NativePayload(ChatProtocol.NAME, said)));
    }

    private FinishReason finishReason() {
        return switch (reason) {
            case null -> FinishReason.OTHER;
            case "stop" -> refused ? FinishReason.REFUSAL : FinishReason.STOP;
            case "length" -> FinishReason.LENGTH;
            case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
            case "content_filter" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.OTHER;
        };
    }
}
