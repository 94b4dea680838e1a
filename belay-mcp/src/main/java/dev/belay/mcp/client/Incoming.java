package dev.belay.mcp.client;

import dev.belay.json.Json;
import java.util.function.Consumer;

/** Takes what a server says of its own accord. Called by threads that read, so it does not block. */
interface Incoming {

    /** A notification that belongs to no request. */
    void notified(Json notification);

    /**
     * Answers a request of the server.
     *
     * @param reply sends a reply or a refusal; does not block
     */
    void asked(Json request, Consumer<Json> reply);

    /** The server wrote a message that cannot be read. */
    void unreadable(String why);

    /** The connection is gone; told once. */
    void lost(String why);
}
