package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.NativePayload;
import dev.belay.model.Usage;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.AnswerDetails.Citation;
import dev.belay.model.http.AnswerDetails.ToolUse;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads from an answer in Anthropic's own form what has no neutral part. Stateless. */
final class AnswerBlocks {

    private AnswerBlocks() {}

    /** The details of an answer; {@link AnswerDetails#NONE} if it is another provider's, or spoiled. */
    static AnswerDetails of(NativePayload payload) {
        if (!payload.provider().equals(Conversation.PROVIDER)) {
            return AnswerDetails.NONE;
        }
        try {
            Json message = payload.payload();
            List<Json> blocks = WireFields.items(message, Conversation.CONTENT);
            return new AnswerDetails(uses(blocks), citations(blocks),
                    WireFields.field(message, Conversation.STOP_DETAILS)
                            .map(details -> WireFields.text(details, "category"))
                            .orElse(""),
                    usage(WireFields.items(message, Conversation.ITERATIONS)));
        } catch (JsonException spoiled) {
            return AnswerDetails.NONE;
        }
    }

    /** The uses of tools that Anthropic has run, each with its result. */
    private static List<ToolUse> uses(List<Json> blocks) {
        List<ToolUse> uses = new ArrayList<>();
        for (Json use : blocks) {
            if (WireFields.type(use).equals("server_tool_use")
                    || WireFields.type(use).equals("mcp_tool_use")) {
                String id = WireFields.text(use, "id");
                List<Json> exact = Stream.concat(Stream.of(use), blocks.stream()
                        .filter(block -> WireFields.type(block).endsWith("_tool_result")
                                && WireFields.text(block, "tool_use_id").equals(id)))
                        .toList();
                uses.add(new ToolUse(WireFields.text(use, "name"), id, exact));
            }
        }
        return uses;
    }

    private static List<Citation> citations(List<Json> blocks) {
        return blocks.stream()
                .filter(block -> WireFields.type(block).equals("text"))
                .flatMap(text -> WireFields.items(text, "citations").stream())
                .map(cited -> new Citation(first(cited, "url", "source", "file_id"),
                        first(cited, "title", "document_title"), WireFields.text(cited, "cited_text"), cited))
                .toList();
    }

    private static String first(Json object, String... names) {
        return Stream.of(names)
                .map(name -> WireFields.text(object, name))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static Map<String, Usage> usage(List<Json> iterations) {
        Map<String, Usage> byModel = new LinkedHashMap<>();
        for (Json iteration : iterations) {
            WireUsage usage = new WireUsage();
            usage.report(iteration);
            byModel.merge(WireFields.text(iteration, "model"), usage.sum(), Usage::plus);
        }
        return byModel;
    }
}
