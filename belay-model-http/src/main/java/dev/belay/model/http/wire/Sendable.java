package dev.belay.model.http.wire;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.schema.Wording;

/**
 * Replaces characters of a history that a provider refuses or that JSON cannot hold: a single such character must not end a
 * conversation. Text without them is returned unchanged. Stateless.
 */
public final class Sendable {

    /** Levels that a request may add around a value. */
    private static final int ROOM = 16;

    private Sendable() {}

    /** Whether a value is nested so little that a request can hold it. */
    public static boolean fits(Json value) {
        return value.height() <= JsonLimits.DEEPEST - ROOM;
    }

    /** A text; lone surrogates become question marks. */
    public static String text(String text) {
        return Wording.shown(text, Integer.MAX_VALUE);
    }

    /**
     * The name of a call. A model may have invented it: providers refuse {@code multi_tool_use.parallel}, for example.
     *
     * @param longest the provider's limit
     */
    public static String name(String name, int longest) {
        String made = name.replaceAll("[^a-zA-Z0-9_-]", "_");
        return made.isEmpty() ? "unnamed" : made.substring(0, Math.min(longest, made.length()));
    }
}
