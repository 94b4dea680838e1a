package dev.belay.model.langchain4j;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent;
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
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns LangChain4j's callbacks into events. Providers differ in what they stream; content that is only in the final response is
 * told at the end. Confined to one call.
 */
final class ChatEvents {

    private final String id;
    private final String provider;
    private final Consumer<ModelEvent> out;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    /** The arguments told so far, by the index of their call. */
    private final TreeMap<Integer, StringBuilder> calls = new TreeMap<>();
    private boolean started;

    ChatEvents(String id, String provider, Consumer<ModelEvent> out) {
        this.id = id;
        this.provider = provider;
        this.out = out;
    }

    void text(@Nullable String chunk) {
        start(null);
        text.append(orEmpty(chunk));
        out.accept(new TextDelta(orEmpty(chunk)));
    }

    void thinking(@Nullable String chunk) {
        start(null);
        thinking.append(orEmpty(chunk));
        out.accept(new ReasoningDelta(orEmpty(chunk)));
    }

    void callPiece(PartialToolCall piece) {
        call(piece.index(), piece.id(), piece.name());
        arguments(piece.index(), orEmpty(piece.partialArguments()));
    }

    void callWhole(CompleteToolCall whole) {
        ToolExecutionRequest request = whole.toolExecutionRequest();
        call(whole.index(), request.id(), request.name());
        rest(whole.index(), orEmpty(request.arguments()));
    }

    void complete(@Nullable ChatResponse response) {
        if (response == null || response.aiMessage() == null) {
            throw new ModelException(ModelException.Kind.PROTOCOL,
                    "the LangChain4j model " + id + " returned no message");
        }
        start(response);
        AiMessage message = response.aiMessage();
        out.accept(new ReasoningDelta(beyond(thinking, orEmpty(message.thinking()))));
        out.accept(new TextDelta(beyond(text, orEmpty(message.text()))));
        List<ToolExecutionRequest> whole = message.toolExecutionRequests();
        List<Integer> heard = new ArrayList<>(calls.keySet());
        for (int i = 0; i < whole.size(); i++) {
            ToolExecutionRequest request = whole.get(i);
            int index = i < heard.size() ? heard.get(i) : calls.isEmpty() ? 0 : calls.lastKey() + 1;
            call(index, request.id(), request.name());
            rest(index, orEmpty(request.arguments()));
        }
        Usage usage = ChatUsage.of(response.tokenUsage());
        if (!usage.equals(Usage.NONE)) {
            out.accept(new UsageReported(usage));
        }
        out.accept(new Finished(finish(response), payload(message)));
    }

    private void start(@Nullable ChatResponse response) {
        if (started) {
            return;
        }
        started = true;
        String model = response == null ? null : response.modelName();
        out.accept(new Started(model == null ? id : model, response == null ? "" : orEmpty(response.id())));
    }

    private void call(int index, @Nullable String callId, @Nullable String name) {
        start(null);
        if (!calls.containsKey(index)) {
            calls.put(index, new StringBuilder());
            out.accept(new CallStarted(index, orEmpty(callId), orEmpty(name)));
        }
    }

    private void arguments(int index, String chunk) {
        call(index).append(chunk);
        out.accept(new CallArguments(index, chunk));
    }

    private void rest(int index, String whole) {
        String rest = beyond(call(index), whole);
        if (!rest.isEmpty()) {
            arguments(index, rest);
        }
    }

    private StringBuilder call(int index) {
        return calls.computeIfAbsent(index, absent -> new StringBuilder());
    }

    /** The rest of the whole text after the part already told; empty if the whole does not begin with that part. */
    private static String beyond(CharSequence heard, String whole) {
        return whole.startsWith(heard.toString()) ? whole.substring(heard.length()) : "";
    }

    private static FinishReason finish(ChatResponse response) {
        dev.langchain4j.model.output.FinishReason reason = response.finishReason();
        if (reason == null) {
            return response.aiMessage().hasToolExecutionRequests()
                    ? FinishReason.TOOL_CALLS
                    : FinishReason.OTHER;
        }
        return switch (reason) {
            case STOP -> FinishReason.STOP;
            case LENGTH -> FinishReason.LENGTH;
            case TOOL_EXECUTION -> FinishReason.TOOL_CALLS;
            case CONTENT_FILTER -> FinishReason.CONTENT_FILTER;
            case OTHER -> FinishReason.OTHER;
        };
    }

    /** The message as LangChain4j writes it, with thoughts and attributes such as signatures; null if it cannot. */
    private @Nullable NativePayload payload(AiMessage message) {
        if (message.thinking() == null && message.attributes().equals(Map.of())
                && message.images().isEmpty()) {
            return null; // the neutral form holds the whole message
        }
        try {
            return new NativePayload(provider,
                    Json.foreign(ChatMessageSerializer.messageToJson(message), JsonLimits.DEFAULT));
        } catch (RuntimeException notWritable) {
            return null;
        }
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
