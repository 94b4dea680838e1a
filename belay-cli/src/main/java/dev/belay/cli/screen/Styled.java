package dev.belay.cli.screen;

import dev.belay.schema.Shown;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jline.utils.WCWidth;

/**
 * Text with styles. All text comes in through one door, which marks what could control a terminal; sequences are made from styles alone,
 * when it is {@link #on written}. Confined to one thread.
 */
public final class Styled {

    private static final String TAB = "    ";

    private final StringBuilder text = new StringBuilder();
    private final List<Span> spans = new ArrayList<>();

    /** From a character on, up to the next span, text has these styles. */
    private record Span(int from, Set<Style> styles) {}

    /** A text of these styles. */
    public static Styled of(String text, Style... styles) {
        return new Styled().add(text, styles);
    }

    /** Adds text of any origin: nothing in it controls a terminal or ends a line. */
    public Styled add(String more, Style... styles) {
        return add(more, set(styles));
    }

    /** The same. */
    Styled add(String more, Set<Style> styles) {
        return append(clean(more), styles);
    }

    static Set<Style> set(Style... styles) {
        Set<Style> all = EnumSet.noneOf(Style.class);
        all.addAll(List.of(styles));
        return all;
    }

    /** Text as it may stand on a line of a terminal. Text that is clean stays as it is. */
    static String clean(String text) {
        return Shown.onTerminal(text.replace("\r\n", "\n")).replace('\n', ' ').replace("\t", TAB);
    }

    /** Ends a line. */
    public Styled line() {
        return append("\n", Set.of());
    }

    /** Adds text that is clean already. */
    Styled append(String more, Set<Style> styles) {
        if (more.isEmpty()) {
            return this;
        }
        if (spans.isEmpty() || !spans.getLast().styles().equals(styles)) {
            spans.add(new Span(text.length(), Set.copyOf(styles)));
        }
        text.append(more);
        return this;
    }

    /** Adds another text. */
    public Styled add(Styled other) {
        for (int i = 0; i < other.spans.size(); i++) {
            append(other.text.substring(other.spans.get(i).from(), other.end(i)),
                    other.spans.get(i).styles());
        }
        return this;
    }

    private int end(int span) {
        return span + 1 < spans.size() ? spans.get(span + 1).from() : text.length();
    }

    /** How many characters it has. */
    public int length() {
        return text.length();
    }

    /** The text alone. */
    public String text() {
        return text.toString();
    }

    /** The text for a terminal of a theme. */
    public String on(Theme theme) {
        return on(theme, 0, length());
    }

    /** A part of it. Each piece ends its own sequence, so that nothing stays behind if the next one never comes. */
    String on(Theme theme, int from, int to) {
        var out = new StringBuilder();
        for (int i = 0; i < spans.size(); i++) {
            int begin = Math.max(from, spans.get(i).from());
            int end = Math.min(to, end(i));
            if (begin < end) {
                String parameters = spans.get(i)
                        .styles()
                        .stream()
                        .sorted()
                        .map(theme::parameters)
                        .filter(known -> !known.isEmpty())
                        .collect(Collectors.joining(";"));
                String piece = text.substring(begin, end);
                out.append(parameters.isEmpty() ? piece : "\u001b[" + parameters + "m" + piece + "\u001b[0m");
            }
        }
        return out.toString();
    }

    /** How many columns a text takes. */
    public static int columns(String text) {
        return text.codePoints().map(Styled::columns).sum();
    }

    /** How many columns a character takes: none if it is combined with the one before, two if it is wide. */
    static int columns(int point) {
        return point < 0x7f ? 1 : Math.max(0, WCWidth.wcwidth(point));
    }
}
