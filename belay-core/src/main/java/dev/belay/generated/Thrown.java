package dev.belay.generated;

import java.nio.charset.StandardCharsets;

/** What user code threw, in words that can be told to a model: short, writable as JSON, and safe to ask for. */
public final class Thrown {

    private static final int LONGEST = 4_000;

    private Thrown() {}

    /** The message, cut if it is very long; the name of the class if there is none, or if asking for it throws too. */
    public static String message(Throwable thrown) {
        String message;
        try {
            message = thrown.getMessage();
        } catch (RuntimeException | StackOverflowError broken) {
            message = null;
        }
        if (message == null) {
            return thrown.getClass().getSimpleName();
        }
        String cut = message.length() > LONGEST ? message.substring(0, LONGEST) + "…" : message;
        // a lone surrogate becomes a question mark
        return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
