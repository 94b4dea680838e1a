package dev.belay.schema;

import java.util.regex.Pattern;

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
    /** Blanks, what is in quotes and what follows it, or a word. */
    private static final Pattern WORD = Pattern.compile(" +|'[^']*'[^ ]*|[^ ]+");

    private ShownLines() {}

    /** Foreign text: every line is behind a margin, and the rest of a line that is too long is behind another one. */
    public static String quoted(String text, int width) {
        var out = new StringBuilder();
        text.lines().forEach(line -> {
            out.append(MARGIN);
            broken(out, line, MARGIN.length(), Math.max(NARROWEST, width), WRAPPED);
            out.append('\n');
        });
        return out.toString();
    }

    /**
     * A line of ours with foreign text in it: the first line is as it is, and what would follow at the first column is behind the margin.
     * It is broken between words; what stands in single quotes, such as a command, stays whole if it fits a line.
     */
    public static String hanging(String text, int width) {
        var out = new StringBuilder();
        int room = Math.max(NARROWEST, width);
        String margin = "";
        for (String line : text.split("\n", -1)) {
            out.append(margin);
            int column = margin.length();
            for (var words = WORD.matcher(line); words.find();) {
                String word = words.group();
                int columns = columns(word);
                if (column + columns > room && !word.isBlank() && columns <= room - MARGIN.length()) {
                    out.setLength(out.length() - (out.charAt(out.length() - 1) == ' ' ? 1 : 0));
                    out.append('\n').append(MARGIN);
                    column = MARGIN.length();
                }
                column = broken(out, word, column, room, MARGIN);
            }
            out.append('\n');
            margin = MARGIN;
        }
        return out.toString();
    }

    private static int columns(String text) {
        return text.codePoints().map(ShownLines::columns).sum();
    }

    /** No terminal draws a character beyond ASCII wider. */
    private static int columns(int point) {
        return point < 0x80 ? 1 : 2;
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

    /** Writes a text from a column on, and gives the column behind it. */
    private static int broken(StringBuilder out, String text, int from, int room, String next) {
        int column = from;
        for (int at = 0; at < text.length();) {
            int point = text.codePointAt(at);
            if (column + columns(point) > room) {
                out.append('\n').append(next);
                column = next.length();
            }
            out.appendCodePoint(point);
            column += columns(point);
            at += Character.charCount(point);
        }
        return column;
    }
}
