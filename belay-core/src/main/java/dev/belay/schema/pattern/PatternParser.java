package dev.belay.schema.pattern;

import dev.belay.schema.pattern.PatternNode.Chars;
import dev.belay.schema.pattern.PatternNode.Choice;
import dev.belay.schema.pattern.PatternNode.Edge;
import dev.belay.schema.pattern.PatternNode.Look;
import dev.belay.schema.pattern.PatternNode.Repeat;
import dev.belay.schema.pattern.PatternNode.Sequence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a regular expression by the grammar of ECMA-262 with the flag {@code u}. Where that grammar refuses what without the
 * flag has one meaning only, the meaning is taken: an escaped sign, a lone bracket or brace, a dash beside a class. Confined to
 * one thread.
 */
final class PatternParser {

    /** Groups inside one another; each takes a few frames of the stack. */
    private static final int MOST_DEPTH = 100;
    private static final int NONE = -1;

    private final String text;
    private final boolean anyCase;
    private final Set<String> groupNames = new HashSet<>();
    private int at;
    private int depth;

    private PatternParser(String text, boolean anyCase) {
        this.text = text;
        this.anyCase = anyCase;
    }

    /** Reads the whole; {@link IllegalArgumentException} says what is wrong with it. */
    static PatternNode parse(String text, boolean anyCase) {
        PatternParser parser = new PatternParser(text, anyCase);
        PatternNode whole = parser.choice();
        if (parser.at < text.length()) {
            throw wrong("the ) at " + parser.at + " closes nothing");
        }
        return whole;
    }

    private PatternNode choice() {
        List<PatternNode> branches = new ArrayList<>(List.of(sequence()));
        while (next("|")) {
            branches.add(sequence());
        }
        return branches.size() == 1 ? branches.getFirst() : new Choice(branches);
    }

    private PatternNode sequence() {
        List<PatternNode> parts = new ArrayList<>();
        while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
            parts.add(quantified(term()));
        }
        return Sequence.of(parts);
    }

    private PatternNode term() {
        int start = at;
        int c = take();
        return switch (c) {
            case '^' -> Edge.START;
            case '$' -> Edge.END;
            case '(' -> group(start);
            case '[' -> new Chars(charClass(start));
            case '.' -> new Chars(CharSet.DOT);
            case '\\' -> escape();
            case '*', '+', '?' -> throw nothingToRepeat(start);
            case '{' -> {
                at = start;
                if (bounds() != null) {
                    throw nothingToRepeat(start);
                }
                at = start + 1;
                yield one(c);
            }
            default -> one(c);
        };
    }

    private PatternNode one(int c) {
        return new Chars(new CharSet.Builder().anyCase(anyCase).range(c, c).build(false));
    }

    private PatternNode group(int start) {
        if (++depth > MOST_DEPTH) {
            throw wrong("it is nested too deeply; at most " + MOST_DEPTH + " groups inside one another");
        }
        boolean ahead = next("?=") || next("?!");
        boolean behind = !ahead && (next("?<=") || next("?<!"));
        boolean negative = text.charAt(at - 1) == '!';
        if (!ahead && !behind && !next("?:") && next("?")) {
            groupName(start);
        }
        PatternNode body = choice();
        if (!next(")")) {
            throw wrong("the ( at " + start + " is not closed");
        }
        depth--;
        if (ahead || behind) {
            return new Look(body, behind, negative);
        }
        // an assertion may be repeated inside a group only
        return body instanceof Edge || body instanceof Look ? new Sequence(List.of(body)) : body;
    }

    private void groupName(int start) {
        int end = text.indexOf('>', at);
        if (!next("<") || end < 0) {
            throw wrong("the group at " + start + " is of an unknown kind; there are (…), (?:…), (?<name>…), "
                    + "(?=…), (?!…), (?<=…) and (?<!…)");
        }
        String name = text.substring(at, end);
        at = end + 1;
        boolean valid = !name.isEmpty() && name.codePoints().allMatch(PatternParser::inName)
                && !Character.isDigit(name.codePointAt(0));
        if (!valid || !groupNames.add(name)) {
            throw wrong(
                    "the group at " + start + (valid ? " has a name that is given twice" : " has no name"));
        }
    }

    private static boolean inName(int c) {
        return c == '$' || c == '_' || Character.isUnicodeIdentifierPart(c);
    }

    private PatternNode quantified(PatternNode part) {
        int start = at;
        int[] bounds = next("*")
                ? new int[]{0, Integer.MAX_VALUE}
                : next("+")
                        ? new int[]{1, Integer.MAX_VALUE}
                        : next("?") ? new int[]{0, 1} : bounds();
        if (bounds == null) {
            return part;
        }
        next("?"); // which of the matches is found first does not matter here
        if (part instanceof Edge || part instanceof Look) {
            throw nothingToRepeat(start);
        }
        if (bounds[0] > bounds[1]) {
            throw wrong("the numbers in " + text.substring(start, at) + " are out of order");
        }
        return Repeat.of(part, bounds[0], bounds[1]);
    }

    /** The numbers of <code>{n}</code>, <code>{n,}</code> or <code>{n,m}</code>; null, and nothing taken, if there are none. */
    private int @Nullable [] bounds() {
        int start = at;
        if (next("{")) {
            int least = number();
            int most = least;
            if (next(",")) {
                int given = number();
                most = given == NONE ? Integer.MAX_VALUE : given;
            }
            if (least != NONE && next("}")) {
                return new int[]{least, most};
            }
        }
        at = start;
        return null;
    }

    private int number() {
        long number = NONE;
        for (; at < text.length() && CharSet.DIGIT.contains(text.charAt(at)); at++) {
            number = Math.min(Integer.MAX_VALUE, Math.max(0, number) * 10 + (text.charAt(at) - '0'));
        }
        return (int) number;
    }

    private PatternNode escape() {
        if (next("b")) {
            return Edge.WORD;
        }
        if (next("B")) {
            return Edge.NO_WORD;
        }
        IntPredicate property = property();
        if (property != null) {
            return new Chars(new CharSet.Builder().anyCase(anyCase).property(property).build(false));
        }
        char c = at < text.length() ? text.charAt(at) : ' ';
        if (c == 'k' || (c >= '1' && c <= '9')) {
            throw wrong("the back-reference \\" + c
                    + " is not supported: no bound in time can be kept with it; write the alternatives out");
        }
        return one(character());
    }

    /** What a class escape such as <code>&#92;d</code> means; null, and nothing taken, if another escape comes. */
    private @Nullable IntPredicate property() {
        char c = at < text.length() ? text.charAt(at) : ' ';
        CharSet set = switch (c) {
            case 'd', 'D' -> CharSet.DIGIT;
            case 'w', 'W' -> CharSet.WORD;
            case 's', 'S' -> CharSet.SPACE;
            default -> null;
        };
        if (set == null && c != 'p' && c != 'P') {
            return null;
        }
        at++;
        IntPredicate found = set == null ? UnicodeProperty.named(inBraces("p")) : set::contains;
        return Character.isUpperCase(c) ? found.negate() : found;
    }

    private String inBraces(String escape) {
        int end = text.indexOf('}', at);
        if (!next("{") || end < 0) {
            throw wrong("\\" + escape + " expects {…} behind it");
        }
        String inside = text.substring(at, end);
        at = end + 1;
        return inside;
    }

    /** The character that an escape stands for, behind its backslash. */
    private int character() {
        if (at == text.length()) {
            throw wrong("it ends in the middle of an escape");
        }
        int c = take();
        return switch (c) {
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 0x0b;
            case '0' -> {
                if (at < text.length() && CharSet.DIGIT.contains(text.charAt(at))) {
                    throw wrong("\\0 must not be followed by a digit");
                }
                yield 0;
            }
            case 'c' -> {
                int letter = at < text.length() ? take() : ' ';
                if (letter >= 0x80 || !Character.isLetter(letter)) {
                    throw wrong("\\c expects a letter behind it");
                }
                yield letter & 0x1f;
            }
            case 'x' -> hex(2);
            case 'u' -> unicode();
            default -> {
                if (c >= 0x80 || (CharSet.WORD.contains(c) && c != '_')) {
                    throw wrong("\\" + Character.toString(c) + " is not an escape");
                }
                yield c;
            }
        };
    }

    private int unicode() {
        if (at < text.length() && text.charAt(at) == '{') {
            String digits = inBraces("u");
            int c = digits.matches("0*[0-9a-fA-F]{1,6}") ? Integer.parseInt(digits, 16) : Integer.MAX_VALUE;
            if (c > Character.MAX_CODE_POINT) {
                throw wrong("\\u{" + digits + "} is not a character");
            }
            return c;
        }
        int high = hex(4);
        int start = at;
        if (Character.isHighSurrogate((char) high) && next("\\u")) {
            int low = at < text.length() && text.charAt(at) != '{' ? hex(4) : ' ';
            if (Character.isLowSurrogate((char) low)) {
                return Character.toCodePoint((char) high, (char) low);
            }
            at = start;
        }
        return high;
    }

    private int hex(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++, at++) {
            int digit = at < text.length() && text.charAt(at) < 0x80
                    ? Character.digit(text.charAt(at), 16)
                    : NONE;
            if (digit < 0) {
                throw wrong("\\" + (digits == 2 ? "x" : "u") + " expects " + digits + " hexadecimal digits");
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private CharSet charClass(int start) {
        boolean negated = next("^");
        CharSet.Builder set = new CharSet.Builder().anyCase(anyCase);
        while (!next("]")) {
            int first = classMember(set, start);
            if (at + 1 < text.length() && text.charAt(at) == '-' && text.charAt(at + 1) != ']') {
                at++;
                int last = classMember(set, start);
                if (first == NONE || last == NONE) { // a class is no end of a range: the dash is meant
                    set.range('-', '-');
                    addTo(set, first);
                    addTo(set, last);
                } else if (first > last) {
                    throw wrong("the range " + text.substring(start + 1, at) + " is out of order");
                } else {
                    set.range(first, last);
                }
            } else {
                addTo(set, first);
            }
        }
        return set.build(negated);
    }

    private static void addTo(CharSet.Builder set, int c) {
        if (c != NONE) {
            set.range(c, c);
        }
    }

    /** Takes one member; a character is returned, a class is added to the set. */
    private int classMember(CharSet.Builder set, int start) {
        if (at == text.length()) {
            throw wrong("the [ at " + start + " is not closed");
        }
        int c = take();
        if (c != '\\') {
            return c;
        }
        if (next("b")) {
            return '\b';
        }
        IntPredicate property = property();
        if (property == null) {
            return character();
        }
        set.property(property);
        return NONE;
    }

    private int take() {
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    private boolean next(String expected) {
        if (text.startsWith(expected, at)) {
            at += expected.length();
            return true;
        }
        return false;
    }

    private static IllegalArgumentException nothingToRepeat(int at) {
        return wrong("there is nothing to repeat at " + at);
    }

    private static IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException(problem);
    }
}
