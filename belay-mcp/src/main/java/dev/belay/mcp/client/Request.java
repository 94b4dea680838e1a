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
 * @param params with what
 * @param about the tool, prompt or resource that it concerns, or null
 * @param headers that HTTP carries beside it
 * @param patience how long the reply may take, or null if the thread is interrupted instead
 * @param heard takes notifications that come while the reply is waited for and belong to this request
 */
record Request(long id, String method, Json params, @Nullable String about, Map<String, String> headers,
        @Nullable Duration patience, Consumer<Json> heard) {

    Json message() {
        return Rpc.request(id, method, params);
    }
}
