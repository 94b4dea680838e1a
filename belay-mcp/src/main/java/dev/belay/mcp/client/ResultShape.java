package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.client.wire.Rpc;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What every result of a tool must look like: a gateway may answer in the server's place with something else. Stateless. */
final class ResultShape {

    private ResultShape() {}

    /** Why an object is not the result of a tool; null if it is one, or says of itself that it is of another type. */
    static @Nullable String flaw(Json result) {
        if (isNot(result, "resultType", Json.Kind.STRING)) {
            return "its resultType is no text";
        }
        String type = Rpc.text(result, "resultType");
        if (type != null && !type.equals("complete")) {
            return isNot(result, "inputRequests", Json.Kind.OBJECT)
                    ? "its inputRequests are no object"
                    : null;
        }
        if (isNot(result, "isError", Json.Kind.BOOLEAN)) {
            return "its isError is neither true nor false";
        }
        Optional<Json> content = Rpc.said(result, "content");
        if (content.isPresent() && content.get().kind() != Json.Kind.ARRAY) {
            return "its content is no list";
        }
        if (result.get("content").isEmpty() && Rpc.said(result, "structuredContent").isEmpty()
                && !Rpc.isTrue(result, "isError")) {
            return "it has neither content nor structuredContent";
        }
        boolean whole = content.stream().flatMap(list -> list.items().stream()).allMatch(ResultShape::isPart);
        return whole ? null : "a part of its content has no type or no text";
    }

    private static boolean isPart(Json part) {
        String type = Rpc.text(part, "type");
        return type != null && (!type.equals("text") || Rpc.text(part, "text") != null);
    }

    private static boolean isNot(Json result, String field, Json.Kind kind) {
        return Rpc.said(result, field).filter(value -> value.kind() != kind).isPresent();
    }
}
