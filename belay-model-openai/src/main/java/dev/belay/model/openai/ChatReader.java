package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent;
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
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer of Chat Completions. A whole message is read as a stream of one piece, so there is one path. The answer is whole
 * if a finish reason has arrived, with or without the mark {@code [DONE]}: without a reason the stream was cut.
 */
final class ChatReader implements AnswerReader {

    /** The fields that hold the model's thoughts; only the first is read, as some servers send both. */
    private static final List<String> REASONING = List.of("reasoning_content", "reasoning");
    /** The reasons with which servers give up an answer. */
    private static final Set<String> BROKEN_OFF = Set.of("error", "abort", "cancelled",
            "insufficient_system_resource");
    /** Gemini's reason, with details behind it, for a call that it wrote wrongly and dropped. */
    private static final String UNREADABLE_CALL = "function_call_filter";
    /** Gemini's reasons, in lower case, for an answer that a filter stopped; others stand behind {@code content_filter:}. */
    private static final Set<String> FILTERED = Set.of("safety", "recitation", "prohibited_content",
            "blocklist",
            "spii");

    private final String asked;
    private final String protocol;
    private final ThoughtTags thoughts = new ThoughtTags();
    private final MergedMessage message = new MergedMessage();
    private final ChatCalls calls = new ChatCalls(message);
    private @Nullable Json exact;
    private String reason = "";
    private boolean refused;

    ChatReader(String asked, String protocol) {
        this.asked = asked;
        this.protocol = protocol;
    }

    @Override
    public void event(ServerEvent event, ArrivingAnswer answer) {
        chunk(event.json(), "delta", answer);
    }

    @Override
    public void whole(Json body, ArrivingAnswer answer) {
        exact = body.at("/choices/0/message").filter(message -> !message.isNull()).orElse(null);
        chunk(body, "message", answer);
        if (exact == null && !reason.isEmpty() && finishReason() != FinishReason.CONTENT_FILTER) {
            throw answer.failure("the answer has a finish reason and no message");
        }
    }

    @Override
    public void end(ArrivingAnswer answer) {
        if (answer.isStarted() && !reason.isEmpty()) {
            finish(answer);
        }
    }

    private void chunk(Json chunk, String messageField, ArrivingAnswer answer) {
        List<Json> choices = WireFields.items(chunk, "choices");
        Optional<Json> usage = usage(chunk);
        if (choices.isEmpty() && usage.isEmpty()) {
            return; // an unknown kind of event
        }
        if (!answer.isStarted()) {
            String model = WireFields.text(chunk, "model");
            answer.tell(new Started(model.isEmpty() ? asked : model, WireFields.text(chunk, "id")));
        }
        usage.ifPresent(counts -> answer.tell(new UsageReported(TokenUsage.chat(counts))));
        Json choice = choices.isEmpty() ? Json.EMPTY_OBJECT : choices.getFirst();
        WireFields.field(choice, messageField).ifPresent(piece -> piece(piece, answer));
        answer.requireNoError(chunk);
        answer.requireNoError(choice);
        stop(WireFields.reason(choice, "finish_reason"), answer);
    }

    /** The counts of an answer; Groq nests those of a stream. */
    private static Optional<Json> usage(Json chunk) {
        return WireFields.field(chunk, "usage")
                .or(() -> WireFields.field(chunk, "x_groq")
                        .flatMap(extra -> WireFields.field(extra, "usage")));
    }

    private void stop(String said, ArrivingAnswer answer) {
        if (BROKEN_OFF.contains(said) || said.startsWith(UNREADABLE_CALL)) {
            throw answer.failure("the answer broke off with the finish reason \"" + said + "\"");
        }
        if (!said.isEmpty()) {
            reason = said;
        }
    }

    private void piece(Json piece, ArrivingAnswer answer) {
        message.add(piece);
        REASONING.stream()
                .map(name -> WireFields.text(piece, name))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .ifPresent(text -> tell(text, ReasoningDelta::new, answer));
        WireFields.field(piece, "content").ifPresent(content -> content(piece, content, answer));
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

    /** Plain text; some servers send a list of parts: texts, and thoughts that are lists of texts again. */
    private void content(Json piece, Json content, ArrivingAnswer answer) {
        if (content.kind() != Json.Kind.ARRAY) {
            thoughts.events(piece, content.asString()).forEach(answer::tell);
            return;
        }
        for (Json part : content.items()) {
            WireFields.requireType(part);
            tell(WireFields.text(part, "text"), TextDelta::new, answer);
            WireFields.field(part, "thinking").ifPresent(thoughts -> {
                if (thoughts.kind() == Json.Kind.ARRAY) {
                    thoughts.items()
                            .forEach(
                                    thought -> tell(WireFields.text(thought, "text"), ReasoningDelta::new,
                                            answer));
                } else {
                    tell(thoughts.asString(), ReasoningDelta::new, answer);
                }
            });
        }
    }

    private static void tell(String text, Function<String, ModelEvent> delta, ArrivingAnswer answer) {
        if (!text.isEmpty()) {
            answer.tell(delta.apply(text));
        }
    }

    private void finish(ArrivingAnswer answer) {
        calls.end(answer);
        Json said = exact == null ? message.json() : exact;
        answer.tell(new Finished(finishReason(), new NativePayload(protocol, said)));
    }

    private FinishReason finishReason() {
        String word = reason.toLowerCase(Locale.ROOT);
        if (FILTERED.contains(word) || word.startsWith("content_filter")) {
            return FinishReason.CONTENT_FILTER;
        }
        return switch (word) {
            case "stop", "eos", "eos_token", "stop_sequence" ->
                refused ? FinishReason.REFUSAL : FinishReason.STOP;
            case "length", "max_tokens", "model_length" -> FinishReason.LENGTH;
            case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
            default -> FinishReason.OTHER;
        };
    }
}
