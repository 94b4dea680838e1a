package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages of JSON-RPC 2.0. */
final class Rpc {

    /** The code for a method that is not there. */
    static final int NO_METHOD = -32601;

    /** The code for a request that this client has no room for. */
    static final int BUSY = -32000;
    /** The code for parameters that are wrong, such as an unknown task. */
    static final int WRONG_PARAMS = -32602;

    private static final Json VERSION = Json.string("2.0");

    private Rpc() {}

    /** A message without a reply. */
    static Json notification(String method, Json params) {
        return Json.object(fields("method", Json.string(method), "params", params));
    }

    /** The reply to a request of the server. */
    static Json reply(Json id, Json result) {
        return Json.object(fields("id", id, "result", result));
    }

    /** The reply to a request that is not answered. */
    static Json refusal(Json id, int code, String message) {
        return Json.object(fields("id", id, "error",
                object("code", Json.number(code), "message", Json.string(message))));
    }

    /** The method of a request or a notification, or null for a reply. */
    static @Nullable String method(Json message) {
        return text(message, "method");
    }

    /** The number that a request of this client has as its id, or null if it is none. */
    static @Nullable Long number(@Nullable Json id) {
        if (id == null || id.kind() != Json.Kind.NUMBER) {
            return null;
        }
        try {
            return id.asLong();
        } catch (JsonException tooLarge) {
            return null;
        }
    }

    /** Whether a message is the reply to the request of this id. */
    static boolean answers(Json message, long id) {
        return method(message) == null && message.get("id").map(Json.number(id)::equals).orElse(false);
    }

    /** The result in a reply; what the server refused with is thrown. */
    static Json result(Json reply) throws RpcException {
        Json error = reply.get("error").orElse(null);
        if (error != null && error.kind() == Json.Kind.OBJECT) {
            throw RpcException.of(error);
        }
        return reply.get("result").orElse(Json.EMPTY_OBJECT);
    }

    /** A text field, or null if there is none. */
    static @Nullable String text(Json object, String field) {
        return object.kind() == Json.Kind.OBJECT
                ? object.get(field)
                        .filter(value -> value.kind() == Json.Kind.STRING)
                        .map(Json::asString)
                        .orElse(null)
                : null;
    }

    /** Whether a field is true. */
    static boolean isTrue(Json object, String field) {
        return object.kind() == Json.Kind.OBJECT
                && object.get(field).filter(Json.TRUE::equals).isPresent();
    }

    /** An object of names and values by turns. */
    static Json object(Object... namesAndValues) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], (Json) namesAndValues[i + 1]);
        }
        return Json.object(fields);
    }

    /** An object with one field more, or another value in it. */
    static Json with(Json object, String field, Json value) {
        Map<String, Json> fields = new LinkedHashMap<>(object.fields());
        fields.put(field, value);
        return Json.object(fields);
    }

    private static Map<String, Json> fields(Object... namesAndValues) {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("jsonrpc", VERSION);
        fields.putAll(object(namesAndValues).fields());
        return fields;
    }
}
