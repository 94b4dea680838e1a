package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.NativePayload;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.AnswerDetails.Citation;
import dev.belay.model.http.AnswerDetails.ToolUse;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads from an answer in OpenAI's own form what has no neutral part: uses of built-in tools, and citations. Stateless. */
final class AnswerItems {

    private static final String CALL = "_call";
    /** Items that are neutral parts. */
    private static final Set<String> PARTS = Set.of("message", "reasoning", "function_call");

    private AnswerItems() {}

    /** The details of an answer; {@link AnswerDetails#NONE} if it is another provider's, or spoiled. */
    static AnswerDetails of(NativePayload payload) {
        try {
            return switch (payload.provider()) {
                case ResponsesProtocol.NAME -> ofItems(payload.payload().items());
                case ChatProtocol.NAME, GeminiProtocol.NAME -> ofMessage(payload.payload());
                default -> AnswerDetails.NONE;
            };
        } catch (JsonException spoiled) {
            return AnswerDetails.NONE;
        }
    }

    private static AnswerDetails ofItems(List<Json> items) {
        List<ToolUse> uses = new ArrayList<>();
        List<Citation> citations = new ArrayList<>();
        for (Json item : items) {
            String type = WireFields.type(item);
            if (type.equals("message")) {
                WireFields.items(item, "content").forEach(part -> cited(part, citations));
            } else if (!PARTS.contains(type)) {
                uses.add(new ToolUse(
                        type.endsWith(CALL) ? type.substring(0, type.length() - CALL.length()) : type,
                        WireFields.text(item, "id"), List.of(item)));
            }
        }
        return new AnswerDetails(uses, citations, "", Map.of());
    }

    private static AnswerDetails ofMessage(Json message) {
        List<ToolUse> uses = WireFields.items(message, NativeHistory.EXECUTED)
                .stream()
                .map(use -> new ToolUse(WireFields.text(use, "type"), "", List.of(use)))
                .toList();
        List<Citation> citations = new ArrayList<>();
        cited(message, citations);
        return new AnswerDetails(uses, citations, "", Map.of());
    }

    private static void cited(Json holder, List<Citation> citations) {
        for (Json note : WireFields.items(holder, "annotations")) {
            // Chat Completions nests the citation under its type
            Json cited = WireFields.field(note, WireFields.type(note)).orElse(note);
            String address = WireFields.text(cited, "url");
            String title = WireFields.text(cited, "title");
            citations.add(new Citation(address.isEmpty() ? WireFields.text(cited, "file_id") : address,
                    title.isEmpty() ? WireFields.text(cited, "filename") : title,
                    WireFields.text(cited, "content"),
                    note));
        }
    }
}
