package dev.belay.mcp.client;

import dev.belay.json.Json;

/** Takes what a server says of its own accord. Called by the threads of a transport; must not block for long. */
interface Incoming {

    /** A notification that belongs to no request. */
    void notified(Json notification);

    /** Answers a request of the server: a reply or a refusal. */
    Json asked(Json request);

    /** The connection is gone; told once. */
    void lost(String why);
}
