package dev.belay.schema;

/** Puts foreign text into words that can be told to a model: short, writable as JSON, and safe to ask for. */
public final class Wording {

    private static final int LONGEST_MESSAGE = 4_000;
    private static final int DEEPEST_CAUSE = 16;
    private static final int LONGEST_PLAIN = 100;

    private Wording() {}

    /** A text cut to at most this many characters, never inside a pair; a lone surrogate becomes a question mark. */
    public static String shown(String text, int most) {
        String cut = text;
        if (text.length() > most) {
            boolean pair = Character.isHighSurrogate(text.charAt(most - 1));
            cut = text.substring(0, pair ? most - 1 : most) + "…";
        }
        return whole(cut, '?');
    }

    /** A text with another character in place of every lone surrogate; the same object if there is none. */
    public static String whole(String text, char half) {
        StringBuilder changed = null;
        for (int at = nextHalf(text, 0); at >= 0; at = nextHalf(text, at + 1)) {
            changed = changed == null ? new StringBuilder(text) : changed;
            changed.setCharAt(at, half);
        }
        return changed == null ? text : changed.toString();
    }

    /** Whether a text can stand in a line of a log as it is: 1 to 100 visible ASCII characters. */
    public static boolean isPlain(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_PLAIN
                && text.chars().allMatch(character -> character > ' ' && character < 0x7f);
    }

    /** Whether a text has no lone surrogate, so that it can be written as it is. */
    public static boolean isWhole(String text) {
        return nextHalf(text, 0) < 0;
    }

    /** The place of the first lone surrogate from {@code start} on, which is not inside a pair; -1 if there is none. */
    private static int nextHalf(String text, int start) {
        for (int at = start; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                if (at + 1 == text.length()
                        || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
                    return at;
                }
                at++;
            }
        }
        return -1;
    }

    /**
     * What user code threw: its message, or the name of its class if there is none or asking for it throws too. A throwable that
     * only wraps its cause, such as an {@link java.io.UncheckedIOException}, is told by the cause.
     */
    public static String of(Throwable thrown) {
        Throwable told = thrown;
        try {
            for (int depth = 0; depth < DEEPEST_CAUSE; depth++) {
                Throwable cause = told.getCause();
                // a throwable without a message of its own has none, or the text of its cause, class name included
                String own = told.getMessage();
                if (cause == null || (own != null && !cause.toString().equals(own))) {
                    break;
                }
                told = cause;
            }
            String message = told.getMessage();
            if (message != null && told.getClass().getPackageName().equals("java.nio.file")
                    && !message.contains(": ")) {
                message = told.getClass().getSimpleName() + ": " + message; // else it is the path alone
            }
            if (message != null) {
                return shown(message, LONGEST_MESSAGE);
            }
        } catch (RuntimeException | StackOverflowError broken) {
            told = thrown;
        }
        return told.getClass().getSimpleName();
    }
}
