package dev.belay.model.http;

import java.util.Objects;

/**
 * One event of a stream of server-sent events.
 *
 * @param type what the server calls it; {@code message} if it gave no name
 * @param data its data lines, joined by line feeds
 */
public record ServerEvent(String type, String data) {

    /** The type of an event that the server gave no name. */
    public static final String UNNAMED = "message";

    /** Refuses null only. */
    public ServerEvent {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(data, "data");
    }
}
