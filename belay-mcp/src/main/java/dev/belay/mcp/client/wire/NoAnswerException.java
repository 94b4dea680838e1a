package dev.belay.mcp.client.wire;

import java.io.IOException;

/** What came back for a request is no answer of the server. The request was sent; whether it was carried out is unknown. */
public final class NoAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    /** With what came back instead. */
    public NoAnswerException(String message) {
        super(message);
    }
}
