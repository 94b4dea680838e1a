package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One block of an answer while it arrives; a block that arrived whole stays unchanged. Confined to one answer. */
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

    /** Appends to its text, thought or arguments. */
    void append(String chunk) {
        text.append(chunk);
    }

    void sign(String chunk) {
        signature.append(chunk);
    }

    void cite(Json citation) {
        citations.add(citation);
    }

    /** The arguments if no delta has brought them: those of the block itself, or {@code {}} if it has none. */
    String unheardArguments() {
        return text.isEmpty() ? start.get("input").map(Json::text).orElse("{}") : "";
    }

    /** Whether it is an empty text, which the provider does not take back. */
    boolean isEmptyText() {
        return type.equals("text") && text.isEmpty() && WireFields.text(start, "text").isEmpty();
    }

    /** The block as the provider would have sent it whole. */
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
