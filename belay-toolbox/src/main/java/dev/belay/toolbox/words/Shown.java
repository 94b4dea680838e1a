package dev.belay.toolbox.words;

/** Makes foreign text safe to show: hidden characters are written out. Stateless. */
public final class Shown {

    private Shown() {}

    /**
     * The whole text with line breaks kept and every character that could hide something written out: control characters,
     * characters without width, and those that turn the direction of writing.
     */
    public static String escaped(String text) {
        StringBuilder out = null;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (hides(c)) {
                if (out == null) {
                    out = new StringBuilder(text.length() + 16).append(text, 0, at);
                }
                out.append("\\u%04x".formatted((int) c));
            } else if (out != null) {
                out.append(c);
            }
        }
        return out == null ? text : out.toString();
    }

    private static boolean hides(char c) {
        if (c == '\n' || c == '\t') {
            return false;
        }
        return Character.isISOControl(c) || Character.getType(c) == Character.FORMAT
                || Character.getType(c) == Character.LINE_SEPARATOR
                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
    }

    /** The text on one line, for a message. */
    public static String inLine(String text, int most) {
        String cut = text.length() > most ? text.substring(0, most) + "…" : text;
        return escaped(cut).replace("\n", "\\n").replace("\t", "\\t");
    }
}
