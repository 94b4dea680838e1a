package dev.belay.mcp.client.wire;

import dev.belay.json.Json;
import dev.belay.json.JsonException;

/** A request that the server refused. */
public final class RpcException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 2_000;

    private final int code;
    private final transient Json data;

    private RpcException(int code, String message, Json data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    /** What the object {@code error} of a reply says. */
    public static RpcException of(Json error) {
        int code = error.get("code")
                .filter(value -> value.kind() == Json.Kind.NUMBER)
                .map(RpcException::whole)
                .orElse(0);
        String message = Rpc.text(error, "message");
        String shown = message == null ? "without a message" : message;
        return new RpcException(code, shown.length() > LONGEST ? shown.substring(0, LONGEST) + "…" : shown,
                error.get("data").orElse(Json.NULL));
    }

    private static int whole(Json code) {
        try {
            return code.asInt();
        } catch (JsonException noCode) {
            return 0;
        }
    }

    /** The code of JSON-RPC. */
    public int code() {
        return code;
    }

    /** What else the server said, or null in JSON. */
    public Json data() {
        return data;
    }

    /** Whether only a server of the revision 2026-07-28 says this. */
    public boolean isModern() {
        return code <= -32020 && code >= -32022;
    }
}
