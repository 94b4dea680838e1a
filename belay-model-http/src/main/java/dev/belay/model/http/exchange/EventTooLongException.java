package dev.belay.model.http.exchange;

import java.io.IOException;

/** An event, or an answer in one piece, that is longer than is kept in memory. */
final class EventTooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    EventTooLongException(int maxBytes) {
        super("more than " + maxBytes + " bytes in one piece");
    }
}
