package dev.belay.schema;

/**
 * Lays text of models, tools, servers and files out in lines beside words of Belay: no line of it, whether the text or the width of the
 * terminal breaks it, begins at the first column. Stateless.
 */
public final class ShownLines {

    /** The width of a line where no terminal says one. */
    public static final int USUAL_WIDTH = 80;

    private static final String MARGIN = "    | ";
    private static final String WRAPPED = "    |+ ";
    private static final int MOST_BLANKS = 20;
    private static final int NARROWEST = 20;
    private static final int TAB = 4;

    private ShownLines() {}

    /** Foreign text: every line is behind a margin, and the rest of a line that is too long is behind another one. */
    public static String quoted(String text, int width) {
        var out = new StringBuilder();
        text.lines().forEach(line -> broken(out, line, width, MARGIN, WRAPPED));
        return out.toString();
    }

    /** A line of ours with foreign text in it: the first line is as it is, and what would follow at the first column is behind the margin. */
    public static String hanging(String text, int width) {
        var out = new StringBuilder();
        String margin = "";
        for (String line : text.split("\n", -1)) {
            broken(out, line, width, margin, MARGIN);
            margin = MARGIN;
        }
        return out.toString();
    }

    /** The text with hidden characters marked and long runs of blanks counted: {@code ‹37 spaces›}. No other text is written the same way. */
    public static String marked(String text) {
        String shown = Shown.text(text).replace("\t", " ".repeat(TAB));
        var out = new StringBuilder(shown.length());
        for (int at = 0; at < shown.length();) {
            int end = at;
            while (end < shown.length() && Character.isSpaceChar(shown.charAt(end))) {
                end++;
            }
            if (end - at > MOST_BLANKS) {
                out.append('‹').append(end - at).append(" spaces›");
            } else {
                out.append(shown, at, end);
            }
            if (end < shown.length()) {
                boolean isMark = shown.charAt(end) == '‹' && end + 1 < shown.length()
                        && Character.isDigit(shown.charAt(end + 1));
                out.append(isMark ? "<U+2039>" : shown.substring(end, end + 1));
                end++;
            }
            at = end;
        }
        return out.toString();
    }

    private static void broken(StringBuilder out, String line, int width, String first, String next) {
        out.append(first);
        int room = Math.max(NARROWEST, width);
        int column = first.length();
        for (int at = 0; at < line.length();) {
            int point = line.codePointAt(at);
            int columns = point < 0x80 ? 1 : 2; // no terminal draws a character wider
            if (column + columns > room) {
                out.append('\n').append(next);
                column = next.length();
            }
            out.appendCodePoint(point);
            column += columns;
            at += Character.charCount(point);
        }
        out.append('\n');
    }
}
