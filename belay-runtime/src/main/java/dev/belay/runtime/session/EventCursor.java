package dev.belay.runtime.session;

import dev.belay.json.Json;
import java.util.Objects;

/**
 * A place in the events of a session. Keep it, and give it back to go on reading there.
 *
 * @param stream which stream of events; another process, or this one after a restart, has another
 * @param next the number of the next event
 */
public record EventCursor(String stream, long next) {

    /** Refuses null. */
    public EventCursor {
        Objects.requireNonNull(stream, "stream");
    }

    /** As one word, for a URL or a header. */
    @Override
    public String toString() {
        return stream + "." + next;
    }

    /** A JSON string with the word; the form is stable. */
    public Json toJson() {
        return Json.string(toString());
    }

    /** The cursor of a word; {@link IllegalArgumentException} if it is none. */
    public static EventCursor parse(String word) {
        int dot = word.lastIndexOf('.');
        if (dot < 1) {
            throw new IllegalArgumentException("a cursor looks like STREAM.NUMBER, found " + word);
        }
        return new EventCursor(word.substring(0, dot), Long.parseLong(word.substring(dot + 1)));
    }
}
