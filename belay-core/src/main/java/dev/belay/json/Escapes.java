package dev.belay.json;

/** Strings from their escaped form and back. */
final class Escapes {

    /** In place of a character that stands for lone surrogates: there is none. */
    static final int REFUSE = -1;

    /** The length of an escape of four digits. */
    private static final int ESCAPE = 6;
    private static final String HEX = "0123456789abcdef";

    private Escapes() {}

    /** The string between two quotes that the scanner has found to be well formed. */
    static String decode(String text, int start, int end) {
        int at = text.indexOf('\\', start, end);
        if (at < 0) {
            return text.substring(start, end);
        }
        var out = new StringBuilder(end - start);
        int plain = start;
        while (at >= 0) {
            out.append(text, plain, at);
            char c = text.charAt(at + 1);
            if (c == 'u') {
                out.append((char) Integer.parseInt(text, at + 2, at + 6, 16));
            } else {
                out.append(meaning(c));
            }
            plain = at + (c == 'u' ? 6 : 2);
            at = text.indexOf('\\', plain, end);
        }
        return out.append(text, plain, end).toString();
    }

    /** JSON with {@code U+FFFD} for every lone surrogate, whether it is escaped or not. All places stay where they are. */
    static String whole(String text) {
        var out = new StringBuilder(text);
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                int unit = unit(text, at);
                if (unit < 0 || !Character.isSurrogate((char) unit)) {
                    at++; // the character behind it may be a backslash
                } else if (Character.isHighSurrogate((char) unit) && isLow(unit(text, at + ESCAPE))) {
                    at += 2 * ESCAPE - 1;
                } else {
                    out.replace(at, at + ESCAPE, "\\ufffd");
                    at += ESCAPE - 1;
                }
            } else if (Character.isSurrogate(c)) {
                if (at + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(at + 1))) {
                    at++;
                } else {
                    out.setCharAt(at, '\uFFFD');
                }
            }
        }
        return out.toString();
    }

    private static boolean isLow(int unit) {
        return unit >= 0 && Character.isLowSurrogate((char) unit);
    }

    /** The unit of the escape of four digits at a place, or -1 if there is none. */
    private static int unit(String text, int at) {
        if (!text.startsWith("\\u", at) || at + ESCAPE > text.length()) {
            return -1;
        }
        for (int digit = at + 2; digit < at + ESCAPE; digit++) {
            if (HEX.indexOf(Character.toLowerCase(text.charAt(digit))) < 0) {
                return -1;
            }
        }
        return Integer.parseInt(text, at + 2, at + ESCAPE, 16);
    }

    private static char meaning(char escape) {
        return switch (escape) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> escape;
        };
    }

    /** Appends a string in quotes with the shortest escapes; refuses lone surrogates. */
    static void appendQuoted(StringBuilder out, String value) {
        appendQuoted(out, value, REFUSE);
    }

    /** The same with this character for every lone surrogate, or {@link #REFUSE}. */
    static void appendQuoted(StringBuilder out, String value, int half) {
        out.append('"');
        int plain = 0;
        int length = value.length();
        for (int at = 0; at < length; at++) {
            char c = value.charAt(at);
            if (c < ' ' || c == '"' || c == '\\') {
                out.append(value, plain, at);
                appendEscape(out, c);
                plain = at + 1;
            } else if (Character.isSurrogate(c)) {
                if (at + 1 < length && Character.isSurrogatePair(c, value.charAt(at + 1))) {
                    at++;
                } else if (half == REFUSE) {
                    throw new JsonMismatchException(
                            "expected a string of whole characters, found the lone surrogate "
                                    + Found.character(value, at) + " at index " + at + " of: "
                                    + Found.cut(value));
                } else {
                    out.append(value, plain, at);
                    appendCharacter(out, (char) half);
                    plain = at + 1;
                }
            }
        }
        out.append(value, plain, length).append('"');
    }

    private static void appendCharacter(StringBuilder out, char c) {
        if (c < ' ' || c == '"' || c == '\\') {
            appendEscape(out, c);
        } else {
            out.append(c);
        }
    }

    private static void appendEscape(StringBuilder out, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
        }
    }
}
