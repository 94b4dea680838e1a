package dev.belay.mcp.client;

import dev.belay.json.Json;

/** Takes what a server says of its own accord. Called by the threads of a transport; only {@link #asked} may block. */
interface Incoming {

    /** A notification that belongs to no request. */
    void notified(Json notification);

    /** Answers a request of the server: a reply or a refusal. Called on a thread of its own. */
    Json asked(Json request);

    /** The connection is gone; told once. */
    void lost(String why);
}
