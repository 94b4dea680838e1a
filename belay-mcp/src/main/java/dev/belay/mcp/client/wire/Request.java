package dev.belay.mcp.client.wire;

import dev.belay.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
public record Request(long id, String method, Map<String, Json> params, Map<String, Json> meta,
        @Nullable String about, Map<String, String> headers,
        @Nullable Duration patience, Consumer<Json> heard) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");

    /** Passes a notification on. Who hears it cannot spoil the request. */
    public void hear(Json notification) {
        try {
            heard.accept(notification);
        } catch (RuntimeException e) {
            LOG.warn("What a server said about its request {} ({}) could not be passed on", id, method, e);
        }
    }

    /** The message that is sent. */
    public Json message() {
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
