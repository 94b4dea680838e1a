package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.schema.Draft;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the result of a tool into what the model reads. */
final class CallAnswer {

    private final String server;
    private final ServerTool tool;
    private final ToolContext context;

    CallAnswer(String server, ServerTool tool, ToolContext context) {
        this.server = server;
        this.tool = tool;
        this.context = context;
    }

    /**
     * The text of the contents, or the structured part if there is no content.
     *
     * @throws ToolException if the tool failed, or its result does not fit what it declares
     */
    Object of(Json result) {
        String type = Rpc.text(result, "resultType");
        if (type != null && !type.equals("complete")) {
            throw failure("mcp_result_unsupported",
                    "server " + server + " answered with a result of type " + type
                            + ", which this client has not offered to handle");
        }
        Json content = result.get("content").orElse(Json.NULL);
        List<String> parts = new ArrayList<>();
        if (content.kind() == Json.Kind.ARRAY) {
            content.items().forEach(part -> parts.add(shown(part)));
        }
        String text = String.join("\n", parts);
        if (Rpc.isTrue(result, "isError")) {
            throw failure("mcp_tool_error", text.isEmpty() ? "the tool failed and says nothing" : text);
        }
        Json structured = Rpc.said(result, "structuredContent").orElse(null);
        check(structured);
        if (parts.isEmpty() && structured != null) {
            return structured;
        }
        return text;
    }

    private void check(@Nullable Json structured) {
        if (tool.output() == null) {
            return;
        }
        if (structured == null) {
            throw invalid("declares a schema for its output and sent no structuredContent");
        }
        Violations violations;
        try {
            violations = JsonSchema.of(tool.output(), Draft.DRAFT_2020_12).validate(structured);
        } catch (RuntimeException e) {
            return; // a schema that cannot be read promises nothing
        }
        if (!violations.isEmpty()) {
            throw invalid("sent structuredContent that does not fit its schema:\n" + violations);
        }
    }

    private ToolException invalid(String what) {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.INTERNAL, "invalid_tool_output",
                "tool " + tool.raw() + " of server " + server + " " + what));
    }

    private static ToolException failure(String code, String message) {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, code, message));
    }

    private String shown(Json part) {
        String type = Rpc.text(part, "type");
        return switch (type == null ? "" : type) {
            case "text" -> orEmpty(Rpc.text(part, "text"));
            case "image" -> kept("image", part);
            case "audio" -> kept("audio", part);
            case "resource_link" ->
                "resource " + orEmpty(Rpc.text(part, "uri")) + " (" + orEmpty(Rpc.text(part, "name")) + ")";
            case "resource" -> resource(part.get("resource").orElse(Json.EMPTY_OBJECT));
            default -> part.compact();
        };
    }

    private String resource(Json resource) {
        String text = Rpc.text(resource, "text");
        String from = "resource " + orEmpty(Rpc.text(resource, "uri"));
        return text != null ? from + ":\n" + text : from + " " + kept("bytes", resource);
    }

    /** Keeps bytes as an attachment, where there are attachments, and names it. */
    private String kept(String what, Json part) {
        String data = Rpc.text(part, part.get("blob").isPresent() ? "blob" : "data");
        String type = Rpc.text(part, "mimeType");
        try {
            byte[] bytes = Base64.getDecoder().decode(orEmpty(data));
            return what + " " + Json
                    .from(context.attachments().put(bytes, type == null ? "application/octet-stream" : type))
                    .text();
        } catch (IllegalArgumentException e) {
            return what + " that is no base 64, or whose media type " + type + " is none";
        } catch (ToolException noPlace) {
            return what + " of type " + type + ", which is not kept: " + noPlace.failure().message();
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
