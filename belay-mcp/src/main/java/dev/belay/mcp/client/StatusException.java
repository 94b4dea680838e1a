package dev.belay.mcp.client;

import java.io.IOException;

/** A request that a server has refused by the status of HTTP: it was not carried out. */
final class StatusException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean forgotten;

    StatusException(String message, boolean forgotten) {
        super(message);
        this.forgotten = forgotten;
    }

    /** Whether the server does not know the session any more. */
    boolean forgotten() {
        return forgotten;
    }
}
