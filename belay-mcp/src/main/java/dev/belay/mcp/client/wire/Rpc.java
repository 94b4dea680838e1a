package dev.belay.mcp.client.wire;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.schema.Wording;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The messages of JSON-RPC 2.0. */
public final class Rpc {

    /** The code for a method that is not there. */
    public static final int NO_METHOD = -32601;

    /** The code for a request that this client has no room for. */
    public static final int BUSY = -32000;
    /** The code for parameters that are wrong, such as an unknown task. */
    public static final int WRONG_PARAMS = -32602;

    private static final int LONGEST_WORDS = 2_000;
    private static final Json VERSION = Json.string("2.0");

    private Rpc() {}

    /** A message without a reply. */
    public static Json notification(String method, Json params) {
        return Json.object(fields("method", Json.string(method), "params", params));
    }

    /** The reply to a request of the server. */
    public static Json reply(Json id, Json result) {
        return Json.object(fields("id", id, "result", result));
    }

    /** The reply to a request that is not answered. */
    public static Json refusal(Json id, int code, String message) {
        return Json.object(fields("id", id, "error",
                object("code", Json.number(code), "message", Json.string(message))));
    }

    /** The method of a request or a notification, or null for a reply. */
    public static @Nullable String method(Json message) {
        return text(message, "method");
    }

    /** The number that a request of this client has as its id, or null if it is none. */
    public static @Nullable Long number(@Nullable Json id) {
        if (id == null || id.kind() != Json.Kind.NUMBER) {
            return null;
        }
        try {
            return id.asLong();
        } catch (JsonException tooLarge) {
            return null;
        }
    }

    /** A number of any size, at least and at most these. */
    public static long between(long least, Json number, long most) {
        return number.asBigDecimal().max(BigDecimal.valueOf(least)).min(BigDecimal.valueOf(most)).longValue();
    }

    /** Whether a message is a reply: requests and notifications have a method, and neither a result nor an error. */
    public static boolean isReply(Json message) {
        return method(message) == null || said(message, "result").isPresent()
                || said(message, "error").isPresent();
    }

    /** Whether a message is the reply to the request of this id. */
    public static boolean answers(Json message, long id) {
        return isReply(message) && message.get("id").map(Json.number(id)::equals).orElse(false);
    }

    /**
     * The result in a reply to a request.
     *
     * @throws RpcException if the server refused. A refusal names no request if the server could not read it.
     * @throws NoAnswerException if no server of the protocol says this: it comes from something on the way, or is damaged
     */
    public static Json result(Json reply, Request request) throws RpcException, NoAnswerException {
        boolean own = answers(reply, request.id());
        Json error = said(reply, "error").orElse(null);
        if (error != null && isRefusal(error)
                && (own || (said(reply, "id").isEmpty()
                        && VERSION.equals(reply.get("jsonrpc").orElse(null))))) {
            throw RpcException.of(error);
        }
        if (error != null) {
            throw new NoAnswerException("something else answered " + request.method()
                    + " in the place of the server: " + words(error));
        }
        if (!own) {
            throw new NoAnswerException("the reply to " + request.method() + " is to another request");
        }
        if (said(reply, "method").isPresent()) {
            throw new NoAnswerException(
                    "the reply to " + request.method() + " is a request at the same time");
        }
        return said(reply, "result").filter(result -> result.kind() == Json.Kind.OBJECT)
                .orElseThrow(() -> new NoAnswerException("the reply to " + request.method()
                        + " has neither an error nor an object as its result"));
    }

    /** Whether an error is one that servers of the protocol write. */
    public static boolean isRefusal(Json error) {
        return error.kind() == Json.Kind.OBJECT
                && error.get("code").filter(code -> code.kind() == Json.Kind.NUMBER).isPresent();
    }

    /** What an error says, in any form. */
    public static String words(Json error) {
        String message = error.kind() == Json.Kind.STRING ? error.asString() : text(error, "message");
        return Wording.shown(message == null ? error.compact() : message, LONGEST_WORDS);
    }

    /** A field that is there and not null. */
    public static Optional<Json> said(Json object, String field) {
        return object.get(field).filter(value -> !value.isNull());
    }

    /** A text field, or null if there is none. */
    public static @Nullable String text(Json object, String field) {
        return object.kind() == Json.Kind.OBJECT
                ? object.get(field)
                        .filter(value -> value.kind() == Json.Kind.STRING)
                        .map(Json::asString)
                        .orElse(null)
                : null;
    }

    /** Whether a field is true. */
    public static boolean isTrue(Json object, String field) {
        return object.kind() == Json.Kind.OBJECT
                && object.get(field).filter(Json.TRUE::equals).isPresent();
    }

    /** An object of names and values by turns. */
    public static Json object(Object... namesAndValues) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], (Json) namesAndValues[i + 1]);
        }
        return Json.object(fields);
    }

    /** An object with one field more, or another value in it. */
    public static Json with(Json object, String field, Json value) {
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
