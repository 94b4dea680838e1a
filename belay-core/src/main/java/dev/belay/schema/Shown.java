package dev.belay.schema;

/**
 * Shows foreign text so that nothing in it is invisible: a hidden character is written as {@code <U+202E>}. A character is hidden
 * if it is a control or format character, turns the direction of writing, ends a line or a paragraph, has no width, or looks like
 * a blank that it is not; half a character counts too. Stateless.
 */
public final class Shown {

    /** First and last code points of hidden characters that Unicode does not class as control, format or separator. */
    private static final int[][] INVISIBLE = {{0x034f, 0x034f}, {0x115f, 0x1160}, {0x17b4, 0x17b5},
        {0x180b, 0x180f}, {0x2065, 0x2065}, {0x2800, 0x2800}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},
        {0xffa0, 0xffa0}, {0xfff0, 0xfff8}, {0x1d159, 0x1d159}, {0xe0000, 0xe0fff}};

    private static final String MARK = "<U+";

    private Shown() {}

    /** Decides which characters are marked. */
    private interface Marked {

        boolean at(String text, int at, int c);
    }

    /**
     * For a person who decides: every hidden character is marked, line breaks and tabs stay. A text with parts that are shown
     * already can be shown again.
     */
    public static String text(String text) {
        return marked(text, (all, at, c) -> c != '\n' && c != '\t' && isHidden(c));
    }

    /** The same on one line, cut to so many characters, for a message. */
    public static String inLine(String text, int most) {
        boolean cut = text.length() > most;
        boolean pair = cut && most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
        return marked(cut ? text.substring(0, pair ? most - 1 : most) : text, (all, at, c) -> isHidden(c))
                + (cut ? "…" : "");
    }

    /** A name on a line of a list: whole, on one line, and no other name is written the same way. */
    public static String name(String name) {
        return marked(name, (all, at, c) -> isHidden(c) || isMark(all, at));
    }

    /**
     * The output of a tool, for a model: control characters, characters that turn the direction of writing, line and paragraph
     * separators and tags are marked. Line breaks and tabs stay, and so does what honest text needs: joiners and variation
     * selectors. No other output is written the same way.
     */
    public static String output(String text) {
        return marked(text, (all, at, c) -> switch (c) {
            case '\n', '\t' -> false;
            case '\r' -> !all.startsWith("\n", at + 1);
            default -> misleads(c) || isMark(all, at);
        });
    }

    /** What a terminal may be sent: the same, but text that is shown already can be shown again. */
    public static String onTerminal(String text) {
        return marked(text, (all, at, c) -> c != '\n' && c != '\t'
                && !(c == '\r' && all.startsWith("\n", at + 1)) && misleads(c));
    }

    /** Whether a reader cannot see a character, line breaks and tabs included. */
    public static boolean isHidden(int c) {
        if (Character.getType(c) == Character.FORMAT || Character.getType(c) == Character.SURROGATE
                || misleads(c)) {
            return true;
        }
        for (int[] range : INVISIBLE) {
            if (c >= range[0] && c <= range[1]) {
                return true;
            }
        }
        return false;
    }

    private static boolean misleads(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            case Character.FORMAT -> c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
                    || (c >= 0x2066 && c <= 0x2069) || (c >= 0xe0000 && c <= 0xe007f);
            default -> false;
        };
    }

    /** Whether text that looks like a mark begins there. */
    private static boolean isMark(String text, int at) {
        return text.startsWith(MARK, at);
    }

    private static String marked(String text, Marked marked) {
        StringBuilder out = null;
        for (int at = 0; at < text.length();) {
            int c = text.codePointAt(at);
            if (marked.at(text, at, c)) {
                out = out == null ? new StringBuilder(text.length() + 64).append(text, 0, at) : out;
                out.append(MARK).append("%04X".formatted(c)).append('>');
            } else if (out != null) {
                out.appendCodePoint(c);
            }
            at += Character.charCount(c);
        }
        return out == null ? text : out.toString();
    }
}
