package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One block of an answer while it arrives; what came as it is stays as it is. Confined to one answer. */
final class ContentBlock {

    private final Json start;
    private final String type;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder signature = new StringBuilder();
    private final List<Json> citations = new ArrayList<>();

    ContentBlock(Json start) {
        this.start = start;
        this.type = WireFields.type(start);
    }

    boolean isCall() {
        return type.equals("tool_use");
    }

    /** More of its text, thought or arguments. */
    void append(String chunk) {
        text.append(chunk);
    }

    void sign(String chunk) {
        signature.append(chunk);
    }

    void cite(Json citation) {
        citations.add(citation);
    }

    /** Arguments that no piece has brought: they came with the block itself, or there are none. */
    String unheardArguments() {
        return text.isEmpty() ? start.get("input").map(Json::text).orElse("{}") : "";
    }

    /** Whether there is nothing in it; the provider does not take such text back. */
    boolean isEmptyText() {
        return type.equals("text") && text.isEmpty() && WireFields.text(start, "text").isEmpty();
    }

    /** The block as it would have come in one piece. */
    Json whole() {
        if (text.isEmpty() && signature.isEmpty() && citations.isEmpty()) {
            return start;
        }
        Map<String, Json> fields = new LinkedHashMap<>(start.fields());
        switch (type) {
            case "text", "thinking" ->
                fields.put(type, Json.string(WireFields.text(start, type) + text));
            case "tool_use", "server_tool_use", "mcp_tool_use" ->
                fields.put("input", Conversation.input(text.toString()));
            default -> {
            }
        }
        if (!signature.isEmpty()) {
            fields.put("signature", Json.string(WireFields.text(start, "signature") + signature));
        }
        if (!citations.isEmpty()) {
            fields.put("citations", Json.array(citations));
        }
        return Json.object(fields);
    }
}
