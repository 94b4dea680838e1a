package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent;
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
import dev.belay.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Writes a stream of Messages: blocks of text and thought are numbered from 0, calls from 100, as they come. */
final class MessagesStream {

    /** What Anthropic signs a thought with. */
    static final String SIGNATURE = "EqQBsigned+by/them==";

    private static final int FIRST_CALL = 100;

    private final List<String> sent = new ArrayList<>();
    private final Set<Integer> open = new TreeSet<>();
    private final Usage usage;
    private int content = -1;
    private String kind = "";

    MessagesStream(List<ModelEvent> events) {
        usage = events.stream()
                .filter(UsageReported.class::isInstance)
                .map(event -> ((UsageReported) event).usage())
                .reduce(Usage.NONE, Usage::merge);
        events.forEach(this::write);
    }

    List<String> written() {
        return sent;
    }

    private void write(ModelEvent event) {
        switch (event) {
            case Started(String model, String id) -> sent.add(event(Json.write(out -> {
                out.beginObject().name("type").value("message_start").name("message").beginObject();
                out.name("id").value(id).name("type").value("message").name("role").value("assistant");
                out.name("model").value(model).name("content").beginArray().endArray();
                out.name("stop_reason").nullValue().name("stop_sequence").nullValue();
                out.name("usage").value(usage(usage.output().isPresent() ? usage.withOutput(1) : usage));
                out.endObject().endObject();
            })));
            case TextDelta(String text) -> piece("text", "text_delta", "text", text);
            case ReasoningDelta(String text) -> piece("thinking", "thinking_delta", "thinking", text);
            case CallStarted(int index, String id, String name) -> {
                close();
                open.add(FIRST_CALL + index);
                sent.add(start(FIRST_CALL + index, block(new CallPart(id, name, "{}"))));
            }
            case CallArguments(int index, String chunk) ->
                sent.add(delta(FIRST_CALL + index, "input_json_delta", "partial_json", chunk));
            case UsageReported counted -> {
            } // at both ends
            case Finished(FinishReason reason, var payload) -> finish(reason);
            case RefusalDelta refusal ->
                throw new IllegalArgumentException("there is no such thing: " + event);
        }
    }

    private void piece(String block, String type, String field, String chunk) {
        if (!kind.equals(block)) {
            close();
            content++;
            kind = block;
            open.add(content);
            sent.add(start(content, Json.write(out -> {
                out.beginObject().name("type").value(block).name(field).value("");
                if (block.equals("thinking")) {
                    out.name("signature").value("");
                }
                out.endObject();
            })));
        }
        sent.add(delta(content, type, field, chunk));
    }

    /** Ends the block of text or thought that is open; a thought is signed last. */
    private void close() {
        if (kind.equals("thinking")) {
            sent.add(delta(content, "signature_delta", "signature", SIGNATURE));
        }
        if (!kind.isEmpty()) {
            open.remove(content);
            sent.add(stop(content));
        }
        kind = "";
    }

    private void finish(FinishReason reason) {
        close();
        open.forEach(index -> sent.add(stop(index)));
        sent.add(event(Json.of("{\"type\":\"ping\"}")));
        sent.add(event(Json.write(out -> {
            out.beginObject().name("type").value("message_delta").name("delta").beginObject();
            out.name("stop_reason").value(word(reason)).name("stop_sequence").nullValue().endObject();
            out.name("usage").beginObject();
            usage.output().ifPresent(count -> out.name("output_tokens").value(count));
            out.endObject().endObject();
        })));
        sent.add(event(Json.of("{\"type\":\"message_stop\"}")));
    }

    private static String start(int index, Json block) {
        return event("content_block_start", index, out -> out.name("content_block").value(block));
    }

    private static String delta(int index, String type, String field, String chunk) {
        return event("content_block_delta", index, out -> out.name("delta")
                .beginObject()
                .name("type")
                .value(type)
                .name(field)
                .value(chunk)
                .endObject());
    }

    private static String stop(int index) {
        return event("content_block_stop", index, out -> {});
    }

    private static String event(String type, int index, Consumer<JsonWriter> rest) {
        return event(Json.write(out -> {
            out.beginObject().name("type").value(type).name("index").value(index);
            rest.accept(out);
            out.endObject();
        }));
    }

    static String event(Json data) {
        return "event: " + MessagesFixture.text(data, "type") + "\ndata: " + data.text() + "\n\n";
    }

    static Json block(AssistantPart part) {
        return Json.write(out -> {
            out.beginObject().name("type");
            switch (part) {
                case TextPart(String text) -> out.value("text").name("text").value(text);
                case ReasoningPart(String text) ->
                    out.value("thinking").name("thinking").value(text).name("signature").value(SIGNATURE);
                case CallPart(String id, String name, String arguments) -> out.value("tool_use")
                        .name("id")
                        .value(id)
                        .name("name")
                        .value(name)
                        .name("input")
                        .value(Json.of(arguments));
                case RefusalPart refusal ->
                    throw new IllegalArgumentException("there is no such thing: " + part);
            }
            out.endObject();
        });
    }

    static String word(FinishReason reason) {
        return switch (reason) {
            case STOP -> "end_turn";
            case LENGTH -> "max_tokens";
            case TOOL_CALLS -> "tool_use";
            case REFUSAL -> "refusal";
            case OTHER -> "something_new";
            case CONTENT_FILTER -> throw new IllegalArgumentException("there is no such thing: " + reason);
        };
    }

    /** What came from the cache and went into it is not part of the input here. */
    static Json usage(Usage usage) {
        return Json.write(out -> {
            out.beginObject();
            long apart = usage.cacheRead().orElse(0) + usage.cacheWrite().orElse(0);
            usage.input().ifPresent(count -> out.name("input_tokens").value(count - apart));
            usage.cacheWrite().ifPresent(count -> out.name("cache_creation_input_tokens").value(count));
            usage.cacheRead().ifPresent(count -> out.name("cache_read_input_tokens").value(count));
            usage.output().ifPresent(count -> out.name("output_tokens").value(count));
            out.endObject();
        });
    }
}
