package dev.belay.mcp.client;

import dev.belay.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way.
 *
 * @param id of this request on this connection
 * @param method what is asked
 * @param params with what, by names
 * @param meta what the protocol adds to the parameters, beside the token of progress
 * @param about the tool, prompt or resource that it concerns, or null
 * @param headers that HTTP carries beside it
 * @param patience how long the reply may take, or null if the thread is interrupted instead
 * @param heard takes notifications that come while the reply is waited for and belong to this request
 */
record Request(long id, String method, Map<String, Json> params, Map<String, Json> meta,
        @Nullable String about, Map<String, String> headers,
        @Nullable Duration patience, Consumer<Json> heard) {

    Json message() {
        return Json.write(out -> {
            out.beginObject().name("jsonrpc").value("2.0").name("id").value(id).name("method").value(method);
            out.name("params").beginObject();
            params.forEach((name, value) -> out.name(name).value(value));
            out.name("_meta").beginObject().name("progressToken").value(id);
            meta.forEach((name, value) -> out.name(name).value(value));
            out.endObject().endObject().endObject();
        });
    }
}
