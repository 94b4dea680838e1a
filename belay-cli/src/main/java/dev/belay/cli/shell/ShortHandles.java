package dev.belay.cli.shell;

import java.util.regex.Pattern;

/** Cuts hashes inside texts that a person reads; no command takes them from there. Stateless. */
public final class ShortHandles {

    /** Shorter names are typed at times, such as the ids of waits. */
    private static final Pattern HASH = Pattern.compile("\\b([0-9a-f]{8})[0-9a-f]{24,}\\b");

    private ShortHandles() {}

    /** The text with the beginnings of its hashes. */
    public static String in(String text) {
        return HASH.matcher(text).replaceAll("$1…");
    }
}
