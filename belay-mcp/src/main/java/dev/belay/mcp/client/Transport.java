package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.client.wire.Request;
import dev.belay.mcp.client.wire.RpcException;
import java.io.IOException;

/** A way to one server. Thread-safe: several requests may be on their way at once. */
interface Transport extends AutoCloseable {

    /** Messages longer than this end the connection: 16 MiB. */
    int LONGEST_MESSAGE = 16 << 20;

    /**
     * Sends a request and waits for its reply. An interrupt cancels the request at the server.
     *
     * @throws LostException if no reply can come any more
     * @throws RpcException what the server refused with
     */
    Json ask(Request request) throws IOException, InterruptedException, RpcException;

    /** Sends a message without a reply. */
    void tell(Json message) throws IOException, InterruptedException;

    /** The server is known to speak this revision. */
    void speaks(Revision revision);

    @Override
    void close();
}
