package dev.belay.model.http.wire;

import dev.belay.schema.Wording;

/**
 * Replaces characters of a history that a provider refuses or that JSON cannot hold: a single such character must not end a
 * conversation. Text without them is returned unchanged. Stateless.
 */
public final class Sendable {

    private Sendable() {}

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
