package dev.belay.mcp.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request without a reply, because the way to the server is gone. */
final class LostException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean sent;

    /**
     * Creates one.
     *
     * @param sent whether the server may have read the request
     */
    LostException(String message, boolean sent, @Nullable Throwable cause) {
        super(message, cause);
        this.sent = sent;
    }

    /** Whether the server may have read the request. */
    boolean sent() {
        return sent;
    }
}
