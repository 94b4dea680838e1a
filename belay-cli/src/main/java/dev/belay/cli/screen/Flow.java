package dev.belay.cli.screen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Lays words out in lines of a width, behind indents that may begin with a mark. A word is broken only if no line holds it; wide characters
 * may stand on any line. What was laid out does not change when more comes, but for a word that is not over. Confined to one thread.
 */
public final class Flow {

    private static final int NARROWEST = 10;

    private final Styled out = new Styled();
    private final int width;
    private final Deque<Indent> indents = new ArrayDeque<>();
    private Styled word = new Styled();
    private int wordColumns;
    private int column;
    /** Lines that have ended and are not written yet, as nothing stands behind them. */
    private int ends;
    private boolean isBlank;
    private Set<Style> blank = Set.of();
    private boolean isBegun;

    /** An indent: its mark stands on the first line, the rest on further ones. */
    private static final class Indent {

        private final String rest;
        private final Style style;
        private String next;

        Indent(String mark, String rest, Style style) {
            next = mark;
            this.rest = rest;
            this.style = style;
        }
    }

    /** Lines of so many columns. */
    public Flow(int width) {
        this.width = Math.max(NARROWEST, width);
    }

    /** From now on lines stand behind a further indent; one that would leave no room for words is left out. */
    public void indent(String mark, String rest, Style style) {
        int taken = indents.stream().mapToInt(one -> Styled.columns(one.rest)).sum();
        boolean fits = taken + Styled.columns(rest) <= width / 2;
        indents.addLast(new Indent(mark, fits ? rest : "", style));
    }

    /** The last indent ends. */
    public void outdent() {
        indents.removeLast();
    }

    /** Adds text; blanks in it are places where a line may end. */
    public Flow words(String text, Set<Style> styles) {
        String clean = Styled.clean(text);
        int begin = 0;
        for (int at = 0; at < clean.length();) {
            int point = clean.codePointAt(at);
            int next = at + Character.charCount(point);
            int columns = Styled.columns(point);
            boolean isWide = columns > 1;
            if (point == ' ' || isWide || wordColumns + columns > room()) {
                word.append(clean.substring(begin, at), styles);
                endWord();
                begin = at;
            }
            if (point == ' ') {
                isBlank = true;
                blank = Set.copyOf(styles);
                begin = next;
            } else {
                wordColumns += columns;
            }
            if (isWide && !isFollowed(clean, next)) {
                word.append(clean.substring(begin, next), styles);
                endWord();
                begin = next;
            }
            at = next;
        }
        word.append(clean.substring(begin), styles);
        return this;
    }

    /** The same in one style, or in none. */
    public Flow words(String text, Style... styles) {
        return words(text, Styled.set(styles));
    }

    /** Whether the next character is drawn on top of the one before. */
    private static boolean isFollowed(String text, int at) {
        return at < text.length() && Styled.columns(text.codePointAt(at)) == 0;
    }

    /** Adds text in which blanks count, such as code. */
    public Flow exactly(String text, Style... styles) {
        endWord();
        String clean = Styled.clean(text);
        var piece = new StringBuilder();
        begin();
        for (int at = 0; at < clean.length();) {
            int point = clean.codePointAt(at);
            at += Character.charCount(point);
            if (column + Styled.columns(point) > width && column > start()) {
                out.add(piece.toString(), styles);
                piece.setLength(0);
                newLine();
                begin();
            }
            piece.appendCodePoint(point);
            column += Styled.columns(point);
        }
        out.add(piece.toString(), styles);
        return this;
    }

    /** The word is over. */
    void endWord() {
        if (word.length() == 0) {
            return;
        }
        boolean isFirst = column <= start() || !isBegun;
        if (!isFirst && column + (isBlank ? 1 : 0) + wordColumns > width) {
            line();
        }
        if (!isBegun) {
            begin();
        } else if (isBlank && column > start()) {
            out.append(" ", blank);
            column++;
        }
        isBlank = false;
        out.add(word);
        column += wordColumns;
        word = new Styled();
        wordColumns = 0;
    }

    private int start() {
        return indents.stream().mapToInt(one -> Styled.columns(one.rest)).sum();
    }

    private void begin() {
        if (!isBegun) {
            isBegun = true;
            for (; ends > 0; ends--) {
                out.line();
            }
            for (Indent indent : indents) {
                out.add(indent.next, indent.style);
                column += Styled.columns(indent.next);
                indent.next = indent.rest;
            }
        }
    }

    /** Ends the word and the line, if something is on it. */
    public void fresh() {
        endWord();
        if (isBegun) {
            line();
        }
        isBlank = false;
    }

    /** Ends the word and the line, also an empty one. */
    public void newLine() {
        endWord();
        line();
        isBlank = false;
    }

    private void line() {
        ends++;
        isBegun = false;
        column = 0;
    }

    /** How many columns a line has for words. */
    int room() {
        return width - start();
    }

    /** How many characters are laid out but for the word that is not over. */
    int length() {
        return out.length();
    }

    /** All of it. */
    public Styled text() {
        endWord();
        return out;
    }
}
