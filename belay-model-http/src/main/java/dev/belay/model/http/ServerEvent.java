package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.http.wire.SplitCharacters;
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

    private static final String DONE = "[DONE]";

    /** Refuses null only. */
    public ServerEvent {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(data, "data");
    }

    /**
     * The data as JSON, parsed anew each time; {@link JsonException} if it is none. A string in which a character is cut in half
     * holds a mark in its place; {@link ArrivingAnswer#tell} puts the halves together.
     */
    public Json json() {
        return SplitCharacters.read(data);
    }

    /** Whether it is the mark after the last event, which servers of several protocols send. */
    boolean isEnd() {
        return data.strip().equals(DONE);
    }
}
