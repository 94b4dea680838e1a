package dev.belay.toolbox.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds bytes that every match of a regular expression must contain one after another, so that most of a file need not be
 * decoded or matched. Each place holds one byte or one of several. In doubt it finds nothing.
 */
final class RequiredBytes {

    /** The bits of a long. */
    private static final int LONGEST = 60;

    /** Characters outside of ASCII as bytes, and letters that something outside of ASCII counts as equal to, such as k. */
    private static final Pattern NOT_COMPARABLE = Pattern
            .compile("[^\\x00-\\x7f]|[" + lettersWithRelatives() + "]");

    /** Anchors, everything that begins with {@code (?} but a plain group, escapes that are more than a class. */
    private static final Pattern CONTEXT = Pattern
            .compile("\\^(?<!\\[\\^)|\\$|\\(\\?(?!:)|\\\\[a-zA-Z0-9&&[^dDwWsS]]");

    private final String expression;
    private final List<List<BitSet>> runs = new ArrayList<>();
    private List<BitSet> run = new ArrayList<>();
    private int at;
    private boolean certain = true;

    private RequiredBytes(String expression) {
        this.expression = expression;
    }

    /** Analyses an expression that {@code BoundedPattern} accepts. */
    static RequiredBytes of(String expression) {
        RequiredBytes required = new RequiredBytes(expression);
        while (required.certain && required.at < expression.length()) {
            required.element();
        }
        required.end();
        if (!required.certain) {
            required.runs.clear();
        }
        return required;
    }

    /**
     * Whether a match is independent of the text around it. Then many lines can be searched at once without missing a match. In
     * doubt it is not.
     */
    static boolean ignoresContext(String expression) {
        return !CONTEXT.matcher(expression).find();
    }

    /** Whether an expression is literal text. */
    static boolean isText(String expression) {
        return expression.chars().noneMatch(c -> "\\^$.|?*+()[]{}\r\n".indexOf(c) >= 0);
    }

    /** The longest sequence of certain bytes, one character for each, if there are two or more. */
    Optional<String> text() {
        String longest = "";
        for (List<BitSet> each : runs) {
            StringBuilder text = new StringBuilder();
            for (BitSet place : each) {
                if (place.cardinality() == 1) {
                    text.append((char) place.nextSetBit(0));
                } else {
                    text.setLength(0);
                }
                longest = text.length() > longest.length() ? text.toString() : longest;
            }
        }
        return longest.length() < 2 ? Optional.empty() : Optional.of(longest);
    }

    /** The same for any letter case, in lower case, to be searched in text whose ASCII letters are in lower case. */
    Optional<String> textInAnyCase() {
        String longest = "";
        for (String part : NOT_COMPARABLE.split(text().orElse(""), -1)) {
            longest = part.length() > longest.length() ? part : longest;
        }
        return longest.length() < 2 ? Optional.empty() : Optional.of(longest.toLowerCase(Locale.ROOT));
    }

    /** The longest sequence of places: for each byte the places it may stand at, as bits; empty if it is short. */
    Optional<long[]> places() {
        List<BitSet> longest = List.of();
        for (List<BitSet> each : runs) {
            longest = each.size() > longest.size() ? each : longest;
        }
        if (longest.size() < 2) {
            return Optional.empty();
        }
        int length = Math.min(LONGEST, longest.size());
        long[] bits = new long[257];
        for (int place = 0; place < length; place++) {
            long bit = 1L << place;
            longest.get(place).stream().filter(b -> b != '\n').forEach(b -> bits[b] |= bit); // no line has one
        }
        bits[256] = 1L << (length - 1);
        return Optional.of(bits);
    }

    private static String lettersWithRelatives() {
        StringBuilder letters = new StringBuilder();
        for (char c = 0x80; c < 0xffff; c++) {
            char folded = Character.toLowerCase(Character.toUpperCase(c));
            if (folded < 0x80 && letters.indexOf(String.valueOf(folded)) < 0) {
                letters.append(folded).append(Character.toUpperCase(folded));
            }
        }
        return letters.toString();
    }

    /** Takes one element with its quantifier. */
    private void element() {
        char c = expression.charAt(at);
        switch (c) {
            case '|' -> certain = false; // at the top: another branch may not contain it
            case '(' -> {
                end();
                skipGroup();
                quantified(null);
            }
            case '[' -> quantified(places(oneOf()));
            case '\\' -> escape();
            case '.' -> {
                at++;
                quantified(null);
            }
            case '^', '$', '*', '+', '?', '{', '}' -> { // belongs to an element that was skipped
                end();
                at++;
            }
            case '\n' -> certain = false; // no line has one
            default -> {
                int character = expression.codePointAt(at);
                at += Character.charCount(character);
                quantified(bytes(character));
            }
        }
    }

    private void escape() {
        char c = at + 1 < expression.length() ? expression.charAt(at + 1) : 'Q';
        if (c == '\n') {
            certain = false;
        } else if (!Character.isLetterOrDigit(c)) {
            at += 1;
            int character = expression.codePointAt(at);
            at += Character.charCount(character);
            quantified(bytes(character));
        } else if (c == 'd' || c == 'w') {
            at += 2;
            quantified(places(known(c)));
        } else if ("sDWS".indexOf(c) >= 0) {
            at += 2;
            quantified(null);
        } else if (c == 'b' || c == 'B') {
            end();
            at += 2;
        } else {
            certain = false;
        }
    }

    private static BitSet known(char escape) {
        BitSet set = new BitSet(256);
        String all = escape == 'd'
                ? "0123456789"
                : "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        all.chars().forEach(set::set);
        return set;
    }

    private static List<BitSet> bytes(int character) {
        List<BitSet> places = new ArrayList<>();
        for (byte b : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
            BitSet place = new BitSet(256);
            place.set(b & 0xff);
            places.add(place);
        }
        return places;
    }

    private static @Nullable List<BitSet> places(@Nullable BitSet set) {
        return set == null ? null : List.of(set);
    }

    /** Adds the element just read as often as a match must contain it; null if it can be any byte. */
    private void quantified(@Nullable List<BitSet> places) {
        char sign = at < expression.length() ? expression.charAt(at) : 0;
        int least = sign == '*' || sign == '?' ? 0 : 1;
        boolean exact = sign != '*' && sign != '?' && sign != '+';
        if (sign == '{') {
            int close = expression.indexOf('}', at);
            String count = close < 0 ? "" : expression.substring(at + 1, close);
            String digits = count.replaceAll(",.*", "");
            if (!digits.matches("[0-9]{1,4}")) {
                certain = false;
                return;
            }
            least = Integer.parseInt(digits);
            exact = digits.equals(count);
            at = close;
        }
        if (sign == '*' || sign == '?' || sign == '+' || sign == '{') {
            at++;
            if (at < expression.length() && (expression.charAt(at) == '?' || expression.charAt(at) == '+')) {
                at++;
            }
        }
        if (places == null || least == 0) {
            end();
            return;
        }
        repeat(places, least);
        if (!exact) { // more repetitions may follow; the next element comes after the last of them
            end();
            repeat(places, least);
        }
    }

    private void repeat(List<BitSet> places, int times) {
        for (int time = 0; time < Math.min(times, LONGEST); time++) {
            run.addAll(places);
        }
        if (times > LONGEST) {
            end();
        }
    }

    private void end() {
        if (!run.isEmpty()) {
            runs.add(run);
            run = new ArrayList<>();
        }
    }

    /** Reads a class of ASCII characters; null for a class that may contain others. */
    private @Nullable BitSet oneOf() {
        BitSet set = new BitSet(256);
        boolean others = expression.startsWith("[^", at);
        for (at += others ? 2 : 1; at < expression.length(); at++) {
            char c = expression.charAt(at);
            if (c == ']') {
                at++;
                return others ? null : set;
            }
            if (c == '\\') {
                c = at + 1 < expression.length() ? expression.charAt(++at) : 'Q';
                if (Character.isLetterOrDigit(c)) {
                    if (c != 'd' && c != 'w') {
                        break;
                    }
                    set.or(known(c));
                    continue;
                }
            }
            char last = c;
            if (at + 2 < expression.length() && expression.charAt(at + 1) == '-'
                    && "]\\".indexOf(expression.charAt(at + 2)) < 0) {
                last = expression.charAt(at + 2);
                at += 2;
            }
            others |= c >= 0x80 || last >= 0x80;
            if (!others && c <= last) {
                set.set(c, last + 1);
            }
        }
        certain = false;
        return null;
    }

    /** Skips a group with its content. */
    private void skipGroup() {
        int depth = 0;
        while (certain && at < expression.length()) {
            char c = expression.charAt(at);
            if (c == '\\') {
                certain = !expression.startsWith("\\Q", at);
                at += 2;
            } else if (c == '[') {
                oneOf();
            } else {
                if (c == '(' && expression.startsWith("(?", at) && !expression.startsWith("(?:", at)) {
                    certain = false; // flags change what follows
                }
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                at++;
                if (depth == 0) {
                    return;
                }
            }
        }
    }
}
