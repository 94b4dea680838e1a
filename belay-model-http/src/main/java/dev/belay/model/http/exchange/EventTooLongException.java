package dev.belay.model.http.exchange;

import java.io.IOException;

/** An event, or a whole answer, that is longer than the bound for one piece in memory. */
final class EventTooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    EventTooLongException(int maxBytes) {
        super("more than " + maxBytes + " bytes in one piece");
    }
}
